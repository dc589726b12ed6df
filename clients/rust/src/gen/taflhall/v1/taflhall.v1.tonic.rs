// @generated
/// Generated client implementations.
pub mod catalog_service_client {
    #![allow(
        unused_variables,
        dead_code,
        missing_docs,
        clippy::wildcard_imports,
        clippy::let_unit_value,
    )]
    use tonic::codegen::*;
    use tonic::codegen::http::Uri;
    #[derive(Debug, Clone)]
    pub struct CatalogServiceClient<T> {
        inner: tonic::client::Grpc<T>,
    }
    impl CatalogServiceClient<tonic::transport::Channel> {
        /// Attempt to create a new client by connecting to a given endpoint.
        pub async fn connect<D>(dst: D) -> Result<Self, tonic::transport::Error>
        where
            D: TryInto<tonic::transport::Endpoint>,
            D::Error: Into<StdError>,
        {
            let conn = tonic::transport::Endpoint::new(dst)?.connect().await?;
            Ok(Self::new(conn))
        }
    }
    impl<T> CatalogServiceClient<T>
    where
        T: tonic::client::GrpcService<tonic::body::Body>,
        T::Error: Into<StdError>,
        T::ResponseBody: Body<Data = Bytes> + std::marker::Send + 'static,
        <T::ResponseBody as Body>::Error: Into<StdError> + std::marker::Send,
    {
        pub fn new(inner: T) -> Self {
            let inner = tonic::client::Grpc::new(inner);
            Self { inner }
        }
        pub fn with_origin(inner: T, origin: Uri) -> Self {
            let inner = tonic::client::Grpc::with_origin(inner, origin);
            Self { inner }
        }
        pub fn with_interceptor<F>(
            inner: T,
            interceptor: F,
        ) -> CatalogServiceClient<InterceptedService<T, F>>
        where
            F: tonic::service::Interceptor,
            T::ResponseBody: Default,
            T: tonic::codegen::Service<
                http::Request<tonic::body::Body>,
                Response = http::Response<
                    <T as tonic::client::GrpcService<tonic::body::Body>>::ResponseBody,
                >,
            >,
            <T as tonic::codegen::Service<
                http::Request<tonic::body::Body>,
            >>::Error: Into<StdError> + std::marker::Send + std::marker::Sync,
        {
            CatalogServiceClient::new(InterceptedService::new(inner, interceptor))
        }
        /// Compress requests with the given encoding.
        ///
        /// This requires the server to support it otherwise it might respond with an
        /// error.
        #[must_use]
        pub fn send_compressed(mut self, encoding: CompressionEncoding) -> Self {
            self.inner = self.inner.send_compressed(encoding);
            self
        }
        /// Enable decompressing responses.
        #[must_use]
        pub fn accept_compressed(mut self, encoding: CompressionEncoding) -> Self {
            self.inner = self.inner.accept_compressed(encoding);
            self
        }
        /// Limits the maximum size of a decoded message.
        ///
        /// Default: `4MB`
        #[must_use]
        pub fn max_decoding_message_size(mut self, limit: usize) -> Self {
            self.inner = self.inner.max_decoding_message_size(limit);
            self
        }
        /// Limits the maximum size of an encoded message.
        ///
        /// Default: `usize::MAX`
        #[must_use]
        pub fn max_encoding_message_size(mut self, limit: usize) -> Self {
            self.inner = self.inner.max_encoding_message_size(limit);
            self
        }
        pub async fn list_games(
            &mut self,
            request: impl tonic::IntoRequest<super::ListGamesRequest>,
        ) -> std::result::Result<
            tonic::Response<super::ListGamesResponse>,
            tonic::Status,
        > {
            self.inner
                .ready()
                .await
                .map_err(|e| {
                    tonic::Status::unknown(
                        format!("Service was not ready: {}", e.into()),
                    )
                })?;
            let codec = tonic_prost::ProstCodec::default();
            let path = http::uri::PathAndQuery::from_static(
                "/taflhall.v1.CatalogService/ListGames",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(GrpcMethod::new("taflhall.v1.CatalogService", "ListGames"));
            self.inner.unary(req, path, codec).await
        }
        pub async fn get_game(
            &mut self,
            request: impl tonic::IntoRequest<super::GetGameRequest>,
        ) -> std::result::Result<
            tonic::Response<super::GetGameResponse>,
            tonic::Status,
        > {
            self.inner
                .ready()
                .await
                .map_err(|e| {
                    tonic::Status::unknown(
                        format!("Service was not ready: {}", e.into()),
                    )
                })?;
            let codec = tonic_prost::ProstCodec::default();
            let path = http::uri::PathAndQuery::from_static(
                "/taflhall.v1.CatalogService/GetGame",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(GrpcMethod::new("taflhall.v1.CatalogService", "GetGame"));
            self.inner.unary(req, path, codec).await
        }
    }
}
/// Generated client implementations.
pub mod match_service_client {
    #![allow(
        unused_variables,
        dead_code,
        missing_docs,
        clippy::wildcard_imports,
        clippy::let_unit_value,
    )]
    use tonic::codegen::*;
    use tonic::codegen::http::Uri;
    #[derive(Debug, Clone)]
    pub struct MatchServiceClient<T> {
        inner: tonic::client::Grpc<T>,
    }
    impl MatchServiceClient<tonic::transport::Channel> {
        /// Attempt to create a new client by connecting to a given endpoint.
        pub async fn connect<D>(dst: D) -> Result<Self, tonic::transport::Error>
        where
            D: TryInto<tonic::transport::Endpoint>,
            D::Error: Into<StdError>,
        {
            let conn = tonic::transport::Endpoint::new(dst)?.connect().await?;
            Ok(Self::new(conn))
        }
    }
    impl<T> MatchServiceClient<T>
    where
        T: tonic::client::GrpcService<tonic::body::Body>,
        T::Error: Into<StdError>,
        T::ResponseBody: Body<Data = Bytes> + std::marker::Send + 'static,
        <T::ResponseBody as Body>::Error: Into<StdError> + std::marker::Send,
    {
        pub fn new(inner: T) -> Self {
            let inner = tonic::client::Grpc::new(inner);
            Self { inner }
        }
        pub fn with_origin(inner: T, origin: Uri) -> Self {
            let inner = tonic::client::Grpc::with_origin(inner, origin);
            Self { inner }
        }
        pub fn with_interceptor<F>(
            inner: T,
            interceptor: F,
        ) -> MatchServiceClient<InterceptedService<T, F>>
        where
            F: tonic::service::Interceptor,
            T::ResponseBody: Default,
            T: tonic::codegen::Service<
                http::Request<tonic::body::Body>,
                Response = http::Response<
                    <T as tonic::client::GrpcService<tonic::body::Body>>::ResponseBody,
                >,
            >,
            <T as tonic::codegen::Service<
                http::Request<tonic::body::Body>,
            >>::Error: Into<StdError> + std::marker::Send + std::marker::Sync,
        {
            MatchServiceClient::new(InterceptedService::new(inner, interceptor))
        }
        /// Compress requests with the given encoding.
        ///
        /// This requires the server to support it otherwise it might respond with an
        /// error.
        #[must_use]
        pub fn send_compressed(mut self, encoding: CompressionEncoding) -> Self {
            self.inner = self.inner.send_compressed(encoding);
            self
        }
        /// Enable decompressing responses.
        #[must_use]
        pub fn accept_compressed(mut self, encoding: CompressionEncoding) -> Self {
            self.inner = self.inner.accept_compressed(encoding);
            self
        }
        /// Limits the maximum size of a decoded message.
        ///
        /// Default: `4MB`
        #[must_use]
        pub fn max_decoding_message_size(mut self, limit: usize) -> Self {
            self.inner = self.inner.max_decoding_message_size(limit);
            self
        }
        /// Limits the maximum size of an encoded message.
        ///
        /// Default: `usize::MAX`
        #[must_use]
        pub fn max_encoding_message_size(mut self, limit: usize) -> Self {
            self.inner = self.inner.max_encoding_message_size(limit);
            self
        }
        pub async fn create_match(
            &mut self,
            request: impl tonic::IntoRequest<super::CreateMatchRequest>,
        ) -> std::result::Result<
            tonic::Response<super::CreateMatchResponse>,
            tonic::Status,
        > {
            self.inner
                .ready()
                .await
                .map_err(|e| {
                    tonic::Status::unknown(
                        format!("Service was not ready: {}", e.into()),
                    )
                })?;
            let codec = tonic_prost::ProstCodec::default();
            let path = http::uri::PathAndQuery::from_static(
                "/taflhall.v1.MatchService/CreateMatch",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(GrpcMethod::new("taflhall.v1.MatchService", "CreateMatch"));
            self.inner.unary(req, path, codec).await
        }
        pub async fn join_match(
            &mut self,
            request: impl tonic::IntoRequest<super::JoinMatchRequest>,
        ) -> std::result::Result<
            tonic::Response<super::JoinMatchResponse>,
            tonic::Status,
        > {
            self.inner
                .ready()
                .await
                .map_err(|e| {
                    tonic::Status::unknown(
                        format!("Service was not ready: {}", e.into()),
                    )
                })?;
            let codec = tonic_prost::ProstCodec::default();
            let path = http::uri::PathAndQuery::from_static(
                "/taflhall.v1.MatchService/JoinMatch",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(GrpcMethod::new("taflhall.v1.MatchService", "JoinMatch"));
            self.inner.unary(req, path, codec).await
        }
        pub async fn start_match(
            &mut self,
            request: impl tonic::IntoRequest<super::StartMatchRequest>,
        ) -> std::result::Result<
            tonic::Response<super::StartMatchResponse>,
            tonic::Status,
        > {
            self.inner
                .ready()
                .await
                .map_err(|e| {
                    tonic::Status::unknown(
                        format!("Service was not ready: {}", e.into()),
                    )
                })?;
            let codec = tonic_prost::ProstCodec::default();
            let path = http::uri::PathAndQuery::from_static(
                "/taflhall.v1.MatchService/StartMatch",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(GrpcMethod::new("taflhall.v1.MatchService", "StartMatch"));
            self.inner.unary(req, path, codec).await
        }
        pub async fn get_match(
            &mut self,
            request: impl tonic::IntoRequest<super::GetMatchRequest>,
        ) -> std::result::Result<
            tonic::Response<super::GetMatchResponse>,
            tonic::Status,
        > {
            self.inner
                .ready()
                .await
                .map_err(|e| {
                    tonic::Status::unknown(
                        format!("Service was not ready: {}", e.into()),
                    )
                })?;
            let codec = tonic_prost::ProstCodec::default();
            let path = http::uri::PathAndQuery::from_static(
                "/taflhall.v1.MatchService/GetMatch",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(GrpcMethod::new("taflhall.v1.MatchService", "GetMatch"));
            self.inner.unary(req, path, codec).await
        }
        pub async fn list_matches(
            &mut self,
            request: impl tonic::IntoRequest<super::ListMatchesRequest>,
        ) -> std::result::Result<
            tonic::Response<super::ListMatchesResponse>,
            tonic::Status,
        > {
            self.inner
                .ready()
                .await
                .map_err(|e| {
                    tonic::Status::unknown(
                        format!("Service was not ready: {}", e.into()),
                    )
                })?;
            let codec = tonic_prost::ProstCodec::default();
            let path = http::uri::PathAndQuery::from_static(
                "/taflhall.v1.MatchService/ListMatches",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(GrpcMethod::new("taflhall.v1.MatchService", "ListMatches"));
            self.inner.unary(req, path, codec).await
        }
        pub async fn submit_answers(
            &mut self,
            request: impl tonic::IntoRequest<super::SubmitAnswersRequest>,
        ) -> std::result::Result<
            tonic::Response<super::SubmitAnswersResponse>,
            tonic::Status,
        > {
            self.inner
                .ready()
                .await
                .map_err(|e| {
                    tonic::Status::unknown(
                        format!("Service was not ready: {}", e.into()),
                    )
                })?;
            let codec = tonic_prost::ProstCodec::default();
            let path = http::uri::PathAndQuery::from_static(
                "/taflhall.v1.MatchService/SubmitAnswers",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(GrpcMethod::new("taflhall.v1.MatchService", "SubmitAnswers"));
            self.inner.unary(req, path, codec).await
        }
        pub async fn explain_command(
            &mut self,
            request: impl tonic::IntoRequest<super::ExplainCommandRequest>,
        ) -> std::result::Result<
            tonic::Response<super::ExplainCommandResponse>,
            tonic::Status,
        > {
            self.inner
                .ready()
                .await
                .map_err(|e| {
                    tonic::Status::unknown(
                        format!("Service was not ready: {}", e.into()),
                    )
                })?;
            let codec = tonic_prost::ProstCodec::default();
            let path = http::uri::PathAndQuery::from_static(
                "/taflhall.v1.MatchService/ExplainCommand",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(GrpcMethod::new("taflhall.v1.MatchService", "ExplainCommand"));
            self.inner.unary(req, path, codec).await
        }
        pub async fn watch_match(
            &mut self,
            request: impl tonic::IntoRequest<super::WatchMatchRequest>,
        ) -> std::result::Result<
            tonic::Response<tonic::codec::Streaming<super::WatchMatchResponse>>,
            tonic::Status,
        > {
            self.inner
                .ready()
                .await
                .map_err(|e| {
                    tonic::Status::unknown(
                        format!("Service was not ready: {}", e.into()),
                    )
                })?;
            let codec = tonic_prost::ProstCodec::default();
            let path = http::uri::PathAndQuery::from_static(
                "/taflhall.v1.MatchService/WatchMatch",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(GrpcMethod::new("taflhall.v1.MatchService", "WatchMatch"));
            self.inner.server_streaming(req, path, codec).await
        }
        pub async fn play(
            &mut self,
            request: impl tonic::IntoStreamingRequest<Message = super::PlayRequest>,
        ) -> std::result::Result<
            tonic::Response<tonic::codec::Streaming<super::PlayResponse>>,
            tonic::Status,
        > {
            self.inner
                .ready()
                .await
                .map_err(|e| {
                    tonic::Status::unknown(
                        format!("Service was not ready: {}", e.into()),
                    )
                })?;
            let codec = tonic_prost::ProstCodec::default();
            let path = http::uri::PathAndQuery::from_static(
                "/taflhall.v1.MatchService/Play",
            );
            let mut req = request.into_streaming_request();
            req.extensions_mut()
                .insert(GrpcMethod::new("taflhall.v1.MatchService", "Play"));
            self.inner.streaming(req, path, codec).await
        }
        pub async fn play_all(
            &mut self,
            request: impl tonic::IntoStreamingRequest<Message = super::PlayAllRequest>,
        ) -> std::result::Result<
            tonic::Response<tonic::codec::Streaming<super::PlayAllResponse>>,
            tonic::Status,
        > {
            self.inner
                .ready()
                .await
                .map_err(|e| {
                    tonic::Status::unknown(
                        format!("Service was not ready: {}", e.into()),
                    )
                })?;
            let codec = tonic_prost::ProstCodec::default();
            let path = http::uri::PathAndQuery::from_static(
                "/taflhall.v1.MatchService/PlayAll",
            );
            let mut req = request.into_streaming_request();
            req.extensions_mut()
                .insert(GrpcMethod::new("taflhall.v1.MatchService", "PlayAll"));
            self.inner.streaming(req, path, codec).await
        }
        pub async fn resign_seat(
            &mut self,
            request: impl tonic::IntoRequest<super::ResignSeatRequest>,
        ) -> std::result::Result<
            tonic::Response<super::ResignSeatResponse>,
            tonic::Status,
        > {
            self.inner
                .ready()
                .await
                .map_err(|e| {
                    tonic::Status::unknown(
                        format!("Service was not ready: {}", e.into()),
                    )
                })?;
            let codec = tonic_prost::ProstCodec::default();
            let path = http::uri::PathAndQuery::from_static(
                "/taflhall.v1.MatchService/ResignSeat",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(GrpcMethod::new("taflhall.v1.MatchService", "ResignSeat"));
            self.inner.unary(req, path, codec).await
        }
        pub async fn leave_match(
            &mut self,
            request: impl tonic::IntoRequest<super::LeaveMatchRequest>,
        ) -> std::result::Result<
            tonic::Response<super::LeaveMatchResponse>,
            tonic::Status,
        > {
            self.inner
                .ready()
                .await
                .map_err(|e| {
                    tonic::Status::unknown(
                        format!("Service was not ready: {}", e.into()),
                    )
                })?;
            let codec = tonic_prost::ProstCodec::default();
            let path = http::uri::PathAndQuery::from_static(
                "/taflhall.v1.MatchService/LeaveMatch",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(GrpcMethod::new("taflhall.v1.MatchService", "LeaveMatch"));
            self.inner.unary(req, path, codec).await
        }
        pub async fn delegate_seat(
            &mut self,
            request: impl tonic::IntoRequest<super::DelegateSeatRequest>,
        ) -> std::result::Result<
            tonic::Response<super::DelegateSeatResponse>,
            tonic::Status,
        > {
            self.inner
                .ready()
                .await
                .map_err(|e| {
                    tonic::Status::unknown(
                        format!("Service was not ready: {}", e.into()),
                    )
                })?;
            let codec = tonic_prost::ProstCodec::default();
            let path = http::uri::PathAndQuery::from_static(
                "/taflhall.v1.MatchService/DelegateSeat",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(GrpcMethod::new("taflhall.v1.MatchService", "DelegateSeat"));
            self.inner.unary(req, path, codec).await
        }
        pub async fn reclaim_seat(
            &mut self,
            request: impl tonic::IntoRequest<super::ReclaimSeatRequest>,
        ) -> std::result::Result<
            tonic::Response<super::ReclaimSeatResponse>,
            tonic::Status,
        > {
            self.inner
                .ready()
                .await
                .map_err(|e| {
                    tonic::Status::unknown(
                        format!("Service was not ready: {}", e.into()),
                    )
                })?;
            let codec = tonic_prost::ProstCodec::default();
            let path = http::uri::PathAndQuery::from_static(
                "/taflhall.v1.MatchService/ReclaimSeat",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(GrpcMethod::new("taflhall.v1.MatchService", "ReclaimSeat"));
            self.inner.unary(req, path, codec).await
        }
        pub async fn propose_to_players(
            &mut self,
            request: impl tonic::IntoRequest<super::ProposeToPlayersRequest>,
        ) -> std::result::Result<
            tonic::Response<super::ProposeToPlayersResponse>,
            tonic::Status,
        > {
            self.inner
                .ready()
                .await
                .map_err(|e| {
                    tonic::Status::unknown(
                        format!("Service was not ready: {}", e.into()),
                    )
                })?;
            let codec = tonic_prost::ProstCodec::default();
            let path = http::uri::PathAndQuery::from_static(
                "/taflhall.v1.MatchService/ProposeToPlayers",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(GrpcMethod::new("taflhall.v1.MatchService", "ProposeToPlayers"));
            self.inner.unary(req, path, codec).await
        }
        pub async fn respond_to_proposal(
            &mut self,
            request: impl tonic::IntoRequest<super::RespondToProposalRequest>,
        ) -> std::result::Result<
            tonic::Response<super::RespondToProposalResponse>,
            tonic::Status,
        > {
            self.inner
                .ready()
                .await
                .map_err(|e| {
                    tonic::Status::unknown(
                        format!("Service was not ready: {}", e.into()),
                    )
                })?;
            let codec = tonic_prost::ProstCodec::default();
            let path = http::uri::PathAndQuery::from_static(
                "/taflhall.v1.MatchService/RespondToProposal",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(
                    GrpcMethod::new("taflhall.v1.MatchService", "RespondToProposal"),
                );
            self.inner.unary(req, path, codec).await
        }
        pub async fn abandon_match(
            &mut self,
            request: impl tonic::IntoRequest<super::AbandonMatchRequest>,
        ) -> std::result::Result<
            tonic::Response<super::AbandonMatchResponse>,
            tonic::Status,
        > {
            self.inner
                .ready()
                .await
                .map_err(|e| {
                    tonic::Status::unknown(
                        format!("Service was not ready: {}", e.into()),
                    )
                })?;
            let codec = tonic_prost::ProstCodec::default();
            let path = http::uri::PathAndQuery::from_static(
                "/taflhall.v1.MatchService/AbandonMatch",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(GrpcMethod::new("taflhall.v1.MatchService", "AbandonMatch"));
            self.inner.unary(req, path, codec).await
        }
        pub async fn send_reaction(
            &mut self,
            request: impl tonic::IntoRequest<super::SendReactionRequest>,
        ) -> std::result::Result<
            tonic::Response<super::SendReactionResponse>,
            tonic::Status,
        > {
            self.inner
                .ready()
                .await
                .map_err(|e| {
                    tonic::Status::unknown(
                        format!("Service was not ready: {}", e.into()),
                    )
                })?;
            let codec = tonic_prost::ProstCodec::default();
            let path = http::uri::PathAndQuery::from_static(
                "/taflhall.v1.MatchService/SendReaction",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(GrpcMethod::new("taflhall.v1.MatchService", "SendReaction"));
            self.inner.unary(req, path, codec).await
        }
        pub async fn get_match_record(
            &mut self,
            request: impl tonic::IntoRequest<super::GetMatchRecordRequest>,
        ) -> std::result::Result<
            tonic::Response<super::GetMatchRecordResponse>,
            tonic::Status,
        > {
            self.inner
                .ready()
                .await
                .map_err(|e| {
                    tonic::Status::unknown(
                        format!("Service was not ready: {}", e.into()),
                    )
                })?;
            let codec = tonic_prost::ProstCodec::default();
            let path = http::uri::PathAndQuery::from_static(
                "/taflhall.v1.MatchService/GetMatchRecord",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(GrpcMethod::new("taflhall.v1.MatchService", "GetMatchRecord"));
            self.inner.unary(req, path, codec).await
        }
        pub async fn get_match_view(
            &mut self,
            request: impl tonic::IntoRequest<super::GetMatchViewRequest>,
        ) -> std::result::Result<
            tonic::Response<super::GetMatchViewResponse>,
            tonic::Status,
        > {
            self.inner
                .ready()
                .await
                .map_err(|e| {
                    tonic::Status::unknown(
                        format!("Service was not ready: {}", e.into()),
                    )
                })?;
            let codec = tonic_prost::ProstCodec::default();
            let path = http::uri::PathAndQuery::from_static(
                "/taflhall.v1.MatchService/GetMatchView",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(GrpcMethod::new("taflhall.v1.MatchService", "GetMatchView"));
            self.inner.unary(req, path, codec).await
        }
        pub async fn list_match_events(
            &mut self,
            request: impl tonic::IntoRequest<super::ListMatchEventsRequest>,
        ) -> std::result::Result<
            tonic::Response<super::ListMatchEventsResponse>,
            tonic::Status,
        > {
            self.inner
                .ready()
                .await
                .map_err(|e| {
                    tonic::Status::unknown(
                        format!("Service was not ready: {}", e.into()),
                    )
                })?;
            let codec = tonic_prost::ProstCodec::default();
            let path = http::uri::PathAndQuery::from_static(
                "/taflhall.v1.MatchService/ListMatchEvents",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(GrpcMethod::new("taflhall.v1.MatchService", "ListMatchEvents"));
            self.inner.unary(req, path, codec).await
        }
    }
}
/// Generated client implementations.
pub mod engine_service_client {
    #![allow(
        unused_variables,
        dead_code,
        missing_docs,
        clippy::wildcard_imports,
        clippy::let_unit_value,
    )]
    use tonic::codegen::*;
    use tonic::codegen::http::Uri;
    #[derive(Debug, Clone)]
    pub struct EngineServiceClient<T> {
        inner: tonic::client::Grpc<T>,
    }
    impl EngineServiceClient<tonic::transport::Channel> {
        /// Attempt to create a new client by connecting to a given endpoint.
        pub async fn connect<D>(dst: D) -> Result<Self, tonic::transport::Error>
        where
            D: TryInto<tonic::transport::Endpoint>,
            D::Error: Into<StdError>,
        {
            let conn = tonic::transport::Endpoint::new(dst)?.connect().await?;
            Ok(Self::new(conn))
        }
    }
    impl<T> EngineServiceClient<T>
    where
        T: tonic::client::GrpcService<tonic::body::Body>,
        T::Error: Into<StdError>,
        T::ResponseBody: Body<Data = Bytes> + std::marker::Send + 'static,
        <T::ResponseBody as Body>::Error: Into<StdError> + std::marker::Send,
    {
        pub fn new(inner: T) -> Self {
            let inner = tonic::client::Grpc::new(inner);
            Self { inner }
        }
        pub fn with_origin(inner: T, origin: Uri) -> Self {
            let inner = tonic::client::Grpc::with_origin(inner, origin);
            Self { inner }
        }
        pub fn with_interceptor<F>(
            inner: T,
            interceptor: F,
        ) -> EngineServiceClient<InterceptedService<T, F>>
        where
            F: tonic::service::Interceptor,
            T::ResponseBody: Default,
            T: tonic::codegen::Service<
                http::Request<tonic::body::Body>,
                Response = http::Response<
                    <T as tonic::client::GrpcService<tonic::body::Body>>::ResponseBody,
                >,
            >,
            <T as tonic::codegen::Service<
                http::Request<tonic::body::Body>,
            >>::Error: Into<StdError> + std::marker::Send + std::marker::Sync,
        {
            EngineServiceClient::new(InterceptedService::new(inner, interceptor))
        }
        /// Compress requests with the given encoding.
        ///
        /// This requires the server to support it otherwise it might respond with an
        /// error.
        #[must_use]
        pub fn send_compressed(mut self, encoding: CompressionEncoding) -> Self {
            self.inner = self.inner.send_compressed(encoding);
            self
        }
        /// Enable decompressing responses.
        #[must_use]
        pub fn accept_compressed(mut self, encoding: CompressionEncoding) -> Self {
            self.inner = self.inner.accept_compressed(encoding);
            self
        }
        /// Limits the maximum size of a decoded message.
        ///
        /// Default: `4MB`
        #[must_use]
        pub fn max_decoding_message_size(mut self, limit: usize) -> Self {
            self.inner = self.inner.max_decoding_message_size(limit);
            self
        }
        /// Limits the maximum size of an encoded message.
        ///
        /// Default: `usize::MAX`
        #[must_use]
        pub fn max_encoding_message_size(mut self, limit: usize) -> Self {
            self.inner = self.inner.max_encoding_message_size(limit);
            self
        }
        pub async fn set_up_table(
            &mut self,
            request: impl tonic::IntoRequest<super::SetUpTableRequest>,
        ) -> std::result::Result<
            tonic::Response<super::SetUpTableResponse>,
            tonic::Status,
        > {
            self.inner
                .ready()
                .await
                .map_err(|e| {
                    tonic::Status::unknown(
                        format!("Service was not ready: {}", e.into()),
                    )
                })?;
            let codec = tonic_prost::ProstCodec::default();
            let path = http::uri::PathAndQuery::from_static(
                "/taflhall.v1.EngineService/SetUpTable",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(GrpcMethod::new("taflhall.v1.EngineService", "SetUpTable"));
            self.inner.unary(req, path, codec).await
        }
        pub async fn list_options(
            &mut self,
            request: impl tonic::IntoRequest<super::ListOptionsRequest>,
        ) -> std::result::Result<
            tonic::Response<super::ListOptionsResponse>,
            tonic::Status,
        > {
            self.inner
                .ready()
                .await
                .map_err(|e| {
                    tonic::Status::unknown(
                        format!("Service was not ready: {}", e.into()),
                    )
                })?;
            let codec = tonic_prost::ProstCodec::default();
            let path = http::uri::PathAndQuery::from_static(
                "/taflhall.v1.EngineService/ListOptions",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(GrpcMethod::new("taflhall.v1.EngineService", "ListOptions"));
            self.inner.unary(req, path, codec).await
        }
        pub async fn apply_answers(
            &mut self,
            request: impl tonic::IntoRequest<super::ApplyAnswersRequest>,
        ) -> std::result::Result<
            tonic::Response<super::ApplyAnswersResponse>,
            tonic::Status,
        > {
            self.inner
                .ready()
                .await
                .map_err(|e| {
                    tonic::Status::unknown(
                        format!("Service was not ready: {}", e.into()),
                    )
                })?;
            let codec = tonic_prost::ProstCodec::default();
            let path = http::uri::PathAndQuery::from_static(
                "/taflhall.v1.EngineService/ApplyAnswers",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(GrpcMethod::new("taflhall.v1.EngineService", "ApplyAnswers"));
            self.inner.unary(req, path, codec).await
        }
        pub async fn imagine_tables(
            &mut self,
            request: impl tonic::IntoRequest<super::ImagineTablesRequest>,
        ) -> std::result::Result<
            tonic::Response<super::ImagineTablesResponse>,
            tonic::Status,
        > {
            self.inner
                .ready()
                .await
                .map_err(|e| {
                    tonic::Status::unknown(
                        format!("Service was not ready: {}", e.into()),
                    )
                })?;
            let codec = tonic_prost::ProstCodec::default();
            let path = http::uri::PathAndQuery::from_static(
                "/taflhall.v1.EngineService/ImagineTables",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(GrpcMethod::new("taflhall.v1.EngineService", "ImagineTables"));
            self.inner.unary(req, path, codec).await
        }
        pub async fn rollout(
            &mut self,
            request: impl tonic::IntoRequest<super::RolloutRequest>,
        ) -> std::result::Result<
            tonic::Response<super::RolloutResponse>,
            tonic::Status,
        > {
            self.inner
                .ready()
                .await
                .map_err(|e| {
                    tonic::Status::unknown(
                        format!("Service was not ready: {}", e.into()),
                    )
                })?;
            let codec = tonic_prost::ProstCodec::default();
            let path = http::uri::PathAndQuery::from_static(
                "/taflhall.v1.EngineService/Rollout",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(GrpcMethod::new("taflhall.v1.EngineService", "Rollout"));
            self.inner.unary(req, path, codec).await
        }
        pub async fn analyse_record(
            &mut self,
            request: impl tonic::IntoRequest<super::AnalyseRecordRequest>,
        ) -> std::result::Result<
            tonic::Response<super::AnalyseRecordResponse>,
            tonic::Status,
        > {
            self.inner
                .ready()
                .await
                .map_err(|e| {
                    tonic::Status::unknown(
                        format!("Service was not ready: {}", e.into()),
                    )
                })?;
            let codec = tonic_prost::ProstCodec::default();
            let path = http::uri::PathAndQuery::from_static(
                "/taflhall.v1.EngineService/AnalyseRecord",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(GrpcMethod::new("taflhall.v1.EngineService", "AnalyseRecord"));
            self.inner.unary(req, path, codec).await
        }
    }
}
/// Generated client implementations.
pub mod lobby_service_client {
    #![allow(
        unused_variables,
        dead_code,
        missing_docs,
        clippy::wildcard_imports,
        clippy::let_unit_value,
    )]
    use tonic::codegen::*;
    use tonic::codegen::http::Uri;
    #[derive(Debug, Clone)]
    pub struct LobbyServiceClient<T> {
        inner: tonic::client::Grpc<T>,
    }
    impl LobbyServiceClient<tonic::transport::Channel> {
        /// Attempt to create a new client by connecting to a given endpoint.
        pub async fn connect<D>(dst: D) -> Result<Self, tonic::transport::Error>
        where
            D: TryInto<tonic::transport::Endpoint>,
            D::Error: Into<StdError>,
        {
            let conn = tonic::transport::Endpoint::new(dst)?.connect().await?;
            Ok(Self::new(conn))
        }
    }
    impl<T> LobbyServiceClient<T>
    where
        T: tonic::client::GrpcService<tonic::body::Body>,
        T::Error: Into<StdError>,
        T::ResponseBody: Body<Data = Bytes> + std::marker::Send + 'static,
        <T::ResponseBody as Body>::Error: Into<StdError> + std::marker::Send,
    {
        pub fn new(inner: T) -> Self {
            let inner = tonic::client::Grpc::new(inner);
            Self { inner }
        }
        pub fn with_origin(inner: T, origin: Uri) -> Self {
            let inner = tonic::client::Grpc::with_origin(inner, origin);
            Self { inner }
        }
        pub fn with_interceptor<F>(
            inner: T,
            interceptor: F,
        ) -> LobbyServiceClient<InterceptedService<T, F>>
        where
            F: tonic::service::Interceptor,
            T::ResponseBody: Default,
            T: tonic::codegen::Service<
                http::Request<tonic::body::Body>,
                Response = http::Response<
                    <T as tonic::client::GrpcService<tonic::body::Body>>::ResponseBody,
                >,
            >,
            <T as tonic::codegen::Service<
                http::Request<tonic::body::Body>,
            >>::Error: Into<StdError> + std::marker::Send + std::marker::Sync,
        {
            LobbyServiceClient::new(InterceptedService::new(inner, interceptor))
        }
        /// Compress requests with the given encoding.
        ///
        /// This requires the server to support it otherwise it might respond with an
        /// error.
        #[must_use]
        pub fn send_compressed(mut self, encoding: CompressionEncoding) -> Self {
            self.inner = self.inner.send_compressed(encoding);
            self
        }
        /// Enable decompressing responses.
        #[must_use]
        pub fn accept_compressed(mut self, encoding: CompressionEncoding) -> Self {
            self.inner = self.inner.accept_compressed(encoding);
            self
        }
        /// Limits the maximum size of a decoded message.
        ///
        /// Default: `4MB`
        #[must_use]
        pub fn max_decoding_message_size(mut self, limit: usize) -> Self {
            self.inner = self.inner.max_decoding_message_size(limit);
            self
        }
        /// Limits the maximum size of an encoded message.
        ///
        /// Default: `usize::MAX`
        #[must_use]
        pub fn max_encoding_message_size(mut self, limit: usize) -> Self {
            self.inner = self.inner.max_encoding_message_size(limit);
            self
        }
        pub async fn find_match(
            &mut self,
            request: impl tonic::IntoRequest<super::FindMatchRequest>,
        ) -> std::result::Result<
            tonic::Response<super::FindMatchResponse>,
            tonic::Status,
        > {
            self.inner
                .ready()
                .await
                .map_err(|e| {
                    tonic::Status::unknown(
                        format!("Service was not ready: {}", e.into()),
                    )
                })?;
            let codec = tonic_prost::ProstCodec::default();
            let path = http::uri::PathAndQuery::from_static(
                "/taflhall.v1.LobbyService/FindMatch",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(GrpcMethod::new("taflhall.v1.LobbyService", "FindMatch"));
            self.inner.unary(req, path, codec).await
        }
        pub async fn watch_lobby(
            &mut self,
            request: impl tonic::IntoRequest<super::WatchLobbyRequest>,
        ) -> std::result::Result<
            tonic::Response<tonic::codec::Streaming<super::WatchLobbyResponse>>,
            tonic::Status,
        > {
            self.inner
                .ready()
                .await
                .map_err(|e| {
                    tonic::Status::unknown(
                        format!("Service was not ready: {}", e.into()),
                    )
                })?;
            let codec = tonic_prost::ProstCodec::default();
            let path = http::uri::PathAndQuery::from_static(
                "/taflhall.v1.LobbyService/WatchLobby",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(GrpcMethod::new("taflhall.v1.LobbyService", "WatchLobby"));
            self.inner.server_streaming(req, path, codec).await
        }
        pub async fn invite_to_match(
            &mut self,
            request: impl tonic::IntoRequest<super::InviteToMatchRequest>,
        ) -> std::result::Result<
            tonic::Response<super::InviteToMatchResponse>,
            tonic::Status,
        > {
            self.inner
                .ready()
                .await
                .map_err(|e| {
                    tonic::Status::unknown(
                        format!("Service was not ready: {}", e.into()),
                    )
                })?;
            let codec = tonic_prost::ProstCodec::default();
            let path = http::uri::PathAndQuery::from_static(
                "/taflhall.v1.LobbyService/InviteToMatch",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(GrpcMethod::new("taflhall.v1.LobbyService", "InviteToMatch"));
            self.inner.unary(req, path, codec).await
        }
        pub async fn decline_invitation(
            &mut self,
            request: impl tonic::IntoRequest<super::DeclineInvitationRequest>,
        ) -> std::result::Result<
            tonic::Response<super::DeclineInvitationResponse>,
            tonic::Status,
        > {
            self.inner
                .ready()
                .await
                .map_err(|e| {
                    tonic::Status::unknown(
                        format!("Service was not ready: {}", e.into()),
                    )
                })?;
            let codec = tonic_prost::ProstCodec::default();
            let path = http::uri::PathAndQuery::from_static(
                "/taflhall.v1.LobbyService/DeclineInvitation",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(
                    GrpcMethod::new("taflhall.v1.LobbyService", "DeclineInvitation"),
                );
            self.inner.unary(req, path, codec).await
        }
        pub async fn remove_player(
            &mut self,
            request: impl tonic::IntoRequest<super::RemovePlayerRequest>,
        ) -> std::result::Result<
            tonic::Response<super::RemovePlayerResponse>,
            tonic::Status,
        > {
            self.inner
                .ready()
                .await
                .map_err(|e| {
                    tonic::Status::unknown(
                        format!("Service was not ready: {}", e.into()),
                    )
                })?;
            let codec = tonic_prost::ProstCodec::default();
            let path = http::uri::PathAndQuery::from_static(
                "/taflhall.v1.LobbyService/RemovePlayer",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(GrpcMethod::new("taflhall.v1.LobbyService", "RemovePlayer"));
            self.inner.unary(req, path, codec).await
        }
        pub async fn add_bot(
            &mut self,
            request: impl tonic::IntoRequest<super::AddBotRequest>,
        ) -> std::result::Result<tonic::Response<super::AddBotResponse>, tonic::Status> {
            self.inner
                .ready()
                .await
                .map_err(|e| {
                    tonic::Status::unknown(
                        format!("Service was not ready: {}", e.into()),
                    )
                })?;
            let codec = tonic_prost::ProstCodec::default();
            let path = http::uri::PathAndQuery::from_static(
                "/taflhall.v1.LobbyService/AddBot",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(GrpcMethod::new("taflhall.v1.LobbyService", "AddBot"));
            self.inner.unary(req, path, codec).await
        }
        pub async fn join_rematch(
            &mut self,
            request: impl tonic::IntoRequest<super::JoinRematchRequest>,
        ) -> std::result::Result<
            tonic::Response<super::JoinRematchResponse>,
            tonic::Status,
        > {
            self.inner
                .ready()
                .await
                .map_err(|e| {
                    tonic::Status::unknown(
                        format!("Service was not ready: {}", e.into()),
                    )
                })?;
            let codec = tonic_prost::ProstCodec::default();
            let path = http::uri::PathAndQuery::from_static(
                "/taflhall.v1.LobbyService/JoinRematch",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(GrpcMethod::new("taflhall.v1.LobbyService", "JoinRematch"));
            self.inner.unary(req, path, codec).await
        }
    }
}
