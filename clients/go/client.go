package taflhall

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/hex"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/resolver"
	"google.golang.org/grpc/resolver/manual"

	taflhallv1 "taflhall.org/go/gen/taflhall/v1"
)

const (
	maxMessage = 16 << 20
	// window is how many bytes a server may send ahead, on a stream and on the connection. With a fixed
	// one gRPC does not measure the best size by pings, which were one for every three answers.
	window = 1 << 20
)

// Timing says how long the client waits.
type Timing struct {
	// Call is the time for a call with all its repetitions, unless its context has a deadline.
	Call time.Duration
	// Connect is the time for a call, and the patience of a stream, until a server has answered for the
	// first time.
	Connect time.Duration
	// Attempt is the time for one attempt of a call.
	Attempt time.Duration
	// Silence is the time after which a stream without any message counts as lost.
	Silence time.Duration
	// Patience is the time without a server after which a stream is given up.
	Patience time.Duration
	// FirstPause is the shortest pause between attempts.
	FirstPause time.Duration
	// LongestPause is the longest pause between attempts, unless the server asks for a longer one.
	LongestPause time.Duration
}

// DefaultTiming is the timing of a client that is given none.
var DefaultTiming = Timing{
	Call:         30 * time.Second,
	Connect:      5 * time.Second,
	Attempt:      10 * time.Second,
	Silence:      60 * time.Second,
	Patience:     5 * time.Minute,
	FirstPause:   200 * time.Millisecond,
	LongestPause: 5 * time.Second,
}

// Client is a connection to a server. Its methods may be called by several goroutines.
type Client struct {
	conn      *grpc.ClientConn
	matches   taflhallv1.MatchServiceClient
	lobby     taflhallv1.LobbyServiceClient
	addresses []string
	key       string
	language  string
	timing    Timing
	// reached says that a server has answered.
	reached atomic.Bool
}

type config struct {
	key      string
	language string
	timing   Timing
	tls      *tls.Config
	dial     []grpc.DialOption
}

// ClientOption is an option of [Connect].
type ClientOption func(*config)

// WithKey proves an account by its API key, in every call that has no secret of its own.
func WithKey(key string) ClientOption { return func(c *config) { c.key = key } }

// WithLanguage requests texts for people in a language: a BCP 47 tag, such as "de-AT". Without it
// options, events and decisions come without texts, which is faster, and errors in English.
func WithLanguage(tag string) ClientOption { return func(c *config) { c.language = tag } }

// WithTiming sets how long the client waits; a field that is zero keeps its default.
func WithTiming(t Timing) ClientOption { return func(c *config) { c.timing = t } }

// WithTLS speaks TLS; see [TLSFromFiles]. Without it the connection is in the clear.
func WithTLS(tls *tls.Config) ClientOption { return func(c *config) { c.tls = tls } }

// WithDialOptions adds options of gRPC, such as interceptors.
func WithDialOptions(options ...grpc.DialOption) ClientOption {
	return func(c *config) { c.dial = append(c.dial, options...) }
}

// Connect returns a client of the server at address: host:port, or several with commas between, which
// are replicas of one service. Calls and streams go to those that answer. It sends nothing yet. It
// fails with [ReasonInvalidAddress], or with [ReasonAPIKeyInvalid] for a key that cannot be one.
func Connect(address string, options ...ClientOption) (*Client, error) {
	var c config
	for _, option := range options {
		option(&c)
	}
	addresses, invalid := addressesOf(address)
	if invalid == nil {
		invalid = checkKey(c.key)
	}
	if invalid != nil {
		return nil, invalid
	}
	transport := insecure.NewCredentials()
	if c.tls != nil {
		transport = credentials.NewTLS(c.tls)
	}
	dial := append([]grpc.DialOption{
		grpc.WithTransportCredentials(transport),
		grpc.WithUserAgent("taflhall-go"),
		grpc.WithDefaultServiceConfig(`{"loadBalancingConfig": [{"round_robin": {}}]}`),
		grpc.WithDisableRetry(),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxMessage)),
		grpc.WithInitialWindowSize(window),
		grpc.WithInitialConnWindowSize(window),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: time.Minute, Timeout: 20 * time.Second}),
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff:           backoff.Config{BaseDelay: 200 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: 5 * time.Second},
			MinConnectTimeout: 5 * time.Second,
		}),
	}, c.dial...)
	target := addresses[0]
	if len(addresses) > 1 {
		found := resolverOf(addresses)
		target = found.Scheme() + ":///replicas"
		dial = append(dial, grpc.WithResolvers(found))
	}
	conn, err := grpc.NewClient(target, dial...)
	if err != nil {
		return nil, err
	}
	return &Client{
		conn:      conn,
		matches:   taflhallv1.NewMatchServiceClient(conn),
		lobby:     taflhallv1.NewLobbyServiceClient(conn),
		addresses: addresses,
		key:       c.key,
		language:  c.language,
		timing:    c.timing.withDefaults(),
	}, nil
}

// resolverOf returns what resolves any name to these addresses.
func resolverOf(replicas []string) resolver.Builder {
	var found resolver.State
	for _, replica := range replicas {
		address := resolver.Address{Addr: replica, ServerName: replica}
		found.Endpoints = append(found.Endpoints, resolver.Endpoint{Addresses: []resolver.Address{address}})
	}
	builder := manual.NewBuilderWithScheme("taflhall")
	builder.InitialState(found)
	return builder
}

func (t Timing) withDefaults() Timing {
	fields := []*time.Duration{&t.Call, &t.Connect, &t.Attempt, &t.Silence, &t.Patience, &t.FirstPause, &t.LongestPause}
	d := DefaultTiming
	defaults := []time.Duration{d.Call, d.Connect, d.Attempt, d.Silence, d.Patience, d.FirstPause, d.LongestPause}
	for i, field := range fields {
		if *field <= 0 {
			*field = defaults[i]
		}
	}
	return t
}

// Close ends the connection and all streams.
func (c *Client) Close() error { return c.conn.Close() }

// Conn returns the connection, for stubs of other services.
func (c *Client) Conn() *grpc.ClientConn { return c.conn }

// Games returns the games of the server and its limits.
func (c *Client) Games(ctx context.Context) (*taflhallv1.ListGamesResponse, error) {
	request := &taflhallv1.ListGamesRequest{Language: c.language}
	reply := &taflhallv1.ListGamesResponse{}
	return reply, c.Call(ctx, taflhallv1.CatalogService_ListGames_FullMethodName, request, reply, "")
}

// Matches returns a page of the matches that fit the request.
func (c *Client) Matches(ctx context.Context, request *taflhallv1.ListMatchesRequest) (*taflhallv1.ListMatchesResponse, error) {
	if request.Language == "" {
		request.Language = c.language
	}
	reply := &taflhallv1.ListMatchesResponse{}
	return reply, c.Call(ctx, taflhallv1.MatchService_ListMatches_FullMethodName, request, reply, "")
}

// CreateOption is an option of [Client.Create].
type CreateOption func(*taflhallv1.CreateMatchRequest)

// Title names the match for people.
func Title(title string) CreateOption {
	return func(r *taflhallv1.CreateMatchRequest) { r.Title = title }
}

// StartWhenFull starts the match as soon as its last seat is taken.
func StartWhenFull() CreateOption {
	return func(r *taflhallv1.CreateMatchRequest) { r.StartWhenFull = true }
}

// WithTimeControl limits the time of the seats.
func WithTimeControl(t *taflhallv1.TimeControl) CreateOption {
	return func(r *taflhallv1.CreateMatchRequest) { r.TimeControl = t }
}

// WithSpectators says who may watch the match.
func WithSpectators(s *taflhallv1.SpectatorSettings) CreateOption {
	return func(r *taflhallv1.CreateMatchRequest) { r.Spectators = s }
}

// Unlisted shows the match in lists only to those who take part.
func Unlisted() CreateOption {
	return func(r *taflhallv1.CreateMatchRequest) { r.Unlisted = true }
}

// InvitationRequired keeps out those who have neither an invitation nor the [Match.JoinCode].
func InvitationRequired() CreateOption {
	return func(r *taflhallv1.CreateMatchRequest) { r.InvitationRequired = true }
}

// Setup returns the setup of a game with its defaults.
func Setup(game string, seats int) *taflhallv1.Setup {
	return &taflhallv1.Setup{Game: game, Seats: int32(seats)}
}

// Create opens a match. The one returned may start it: its secret is the creator's.
func (c *Client) Create(ctx context.Context, setup *taflhallv1.Setup, options ...CreateOption) (*Match, error) {
	request := &taflhallv1.CreateMatchRequest{Setup: setup, RequestId: newRequestID()}
	for _, option := range options {
		option(request)
	}
	reply := &taflhallv1.CreateMatchResponse{}
	if err := c.Call(ctx, taflhallv1.MatchService_CreateMatch_FullMethodName, request, reply, ""); err != nil {
		return nil, err
	}
	match := c.Match(reply.GetMatch().GetId(), reply.GetCreatorSecret())
	match.JoinCode = reply.GetJoinCode()
	return match, nil
}

// Match returns the match of that id, to act in with a secret or to watch without one.
func (c *Client) Match(id, secret string) *Match {
	return &Match{client: c, ID: id, Secret: secret}
}

// authorized returns a context that proves the secret, or else the account of the client.
func (c *Client) authorized(ctx context.Context, secret string) context.Context {
	if secret == "" {
		secret = c.key
	}
	if secret == "" {
		return ctx
	}
	return metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+secret)
}

func newRequestID() string {
	var id [16]byte
	rand.Read(id[:]) // never fails
	return hex.EncodeToString(id[:])
}
