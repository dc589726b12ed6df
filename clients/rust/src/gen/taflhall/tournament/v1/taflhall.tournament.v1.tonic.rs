// @generated
/// Generated client implementations.
pub mod tournament_service_client {
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
    pub struct TournamentServiceClient<T> {
        inner: tonic::client::Grpc<T>,
    }
    impl TournamentServiceClient<tonic::transport::Channel> {
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
    impl<T> TournamentServiceClient<T>
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
        ) -> TournamentServiceClient<InterceptedService<T, F>>
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
            TournamentServiceClient::new(InterceptedService::new(inner, interceptor))
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
        pub async fn create_tournament(
            &mut self,
            request: impl tonic::IntoRequest<super::CreateTournamentRequest>,
        ) -> std::result::Result<
            tonic::Response<super::CreateTournamentResponse>,
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
                "/taflhall.tournament.v1.TournamentService/CreateTournament",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(
                    GrpcMethod::new(
                        "taflhall.tournament.v1.TournamentService",
                        "CreateTournament",
                    ),
                );
            self.inner.unary(req, path, codec).await
        }
        pub async fn get_tournament(
            &mut self,
            request: impl tonic::IntoRequest<super::GetTournamentRequest>,
        ) -> std::result::Result<
            tonic::Response<super::GetTournamentResponse>,
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
                "/taflhall.tournament.v1.TournamentService/GetTournament",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(
                    GrpcMethod::new(
                        "taflhall.tournament.v1.TournamentService",
                        "GetTournament",
                    ),
                );
            self.inner.unary(req, path, codec).await
        }
        pub async fn list_tournaments(
            &mut self,
            request: impl tonic::IntoRequest<super::ListTournamentsRequest>,
        ) -> std::result::Result<
            tonic::Response<super::ListTournamentsResponse>,
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
                "/taflhall.tournament.v1.TournamentService/ListTournaments",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(
                    GrpcMethod::new(
                        "taflhall.tournament.v1.TournamentService",
                        "ListTournaments",
                    ),
                );
            self.inner.unary(req, path, codec).await
        }
        pub async fn enter_tournament(
            &mut self,
            request: impl tonic::IntoRequest<super::EnterTournamentRequest>,
        ) -> std::result::Result<
            tonic::Response<super::EnterTournamentResponse>,
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
                "/taflhall.tournament.v1.TournamentService/EnterTournament",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(
                    GrpcMethod::new(
                        "taflhall.tournament.v1.TournamentService",
                        "EnterTournament",
                    ),
                );
            self.inner.unary(req, path, codec).await
        }
        pub async fn withdraw_from_tournament(
            &mut self,
            request: impl tonic::IntoRequest<super::WithdrawFromTournamentRequest>,
        ) -> std::result::Result<
            tonic::Response<super::WithdrawFromTournamentResponse>,
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
                "/taflhall.tournament.v1.TournamentService/WithdrawFromTournament",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(
                    GrpcMethod::new(
                        "taflhall.tournament.v1.TournamentService",
                        "WithdrawFromTournament",
                    ),
                );
            self.inner.unary(req, path, codec).await
        }
        pub async fn start_tournament(
            &mut self,
            request: impl tonic::IntoRequest<super::StartTournamentRequest>,
        ) -> std::result::Result<
            tonic::Response<super::StartTournamentResponse>,
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
                "/taflhall.tournament.v1.TournamentService/StartTournament",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(
                    GrpcMethod::new(
                        "taflhall.tournament.v1.TournamentService",
                        "StartTournament",
                    ),
                );
            self.inner.unary(req, path, codec).await
        }
        pub async fn cancel_tournament(
            &mut self,
            request: impl tonic::IntoRequest<super::CancelTournamentRequest>,
        ) -> std::result::Result<
            tonic::Response<super::CancelTournamentResponse>,
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
                "/taflhall.tournament.v1.TournamentService/CancelTournament",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(
                    GrpcMethod::new(
                        "taflhall.tournament.v1.TournamentService",
                        "CancelTournament",
                    ),
                );
            self.inner.unary(req, path, codec).await
        }
        pub async fn watch_tournament(
            &mut self,
            request: impl tonic::IntoRequest<super::WatchTournamentRequest>,
        ) -> std::result::Result<
            tonic::Response<tonic::codec::Streaming<super::WatchTournamentResponse>>,
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
                "/taflhall.tournament.v1.TournamentService/WatchTournament",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(
                    GrpcMethod::new(
                        "taflhall.tournament.v1.TournamentService",
                        "WatchTournament",
                    ),
                );
            self.inner.server_streaming(req, path, codec).await
        }
        pub async fn get_tournament_standings(
            &mut self,
            request: impl tonic::IntoRequest<super::GetTournamentStandingsRequest>,
        ) -> std::result::Result<
            tonic::Response<super::GetTournamentStandingsResponse>,
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
                "/taflhall.tournament.v1.TournamentService/GetTournamentStandings",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(
                    GrpcMethod::new(
                        "taflhall.tournament.v1.TournamentService",
                        "GetTournamentStandings",
                    ),
                );
            self.inner.unary(req, path, codec).await
        }
        pub async fn list_tournament_matches(
            &mut self,
            request: impl tonic::IntoRequest<super::ListTournamentMatchesRequest>,
        ) -> std::result::Result<
            tonic::Response<super::ListTournamentMatchesResponse>,
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
                "/taflhall.tournament.v1.TournamentService/ListTournamentMatches",
            );
            let mut req = request.into_request();
            req.extensions_mut()
                .insert(
                    GrpcMethod::new(
                        "taflhall.tournament.v1.TournamentService",
                        "ListTournamentMatches",
                    ),
                );
            self.inner.unary(req, path, codec).await
        }
    }
}
