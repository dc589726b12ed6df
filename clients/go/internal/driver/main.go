// Command driver lets `taflhall conformance client` call the Go client: it reads operations from
// standard input and reports on standard output. See docs/writing-a-client.md.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	taflhall "taflhall.org/go"
	_ "taflhall.org/go/gen/taflhall/admin/v1"
	taflhallv1 "taflhall.org/go/gen/taflhall/v1"
)

// arguments are those of all operations.
type arguments struct {
	ID      int    `json:"id"`
	Op      string `json:"op"`
	Client  string `json:"client"`
	Of      int    `json:"of"`
	Address string `json:"address"`
	Key     string `json:"key"`

	Language     string  `json:"language"`
	Deadline     float64 `json:"deadline"`
	Attempt      float64 `json:"attempt"`
	Silence      float64 `json:"silence"`
	Patience     float64 `json:"patience"`
	Connect      float64 `json:"connect_deadline"`
	FirstPause   float64 `json:"first_pause"`
	LongestPause float64 `json:"longest_pause"`
	TLS          *struct {
		CA   string `json:"ca"`
		Cert string `json:"cert"`
		Key  string `json:"key"`
	} `json:"tls"`

	Method  string          `json:"method"`
	Request json.RawMessage `json:"request"`

	Match         string            `json:"match"`
	Secret        string            `json:"secret"`
	Setup         json.RawMessage   `json:"setup"`
	Title         string            `json:"title"`
	StartWhenFull bool              `json:"start_when_full"`
	Name          string            `json:"name"`
	Seats         []int32           `json:"seats"`
	Kind          string            `json:"kind"`
	Seat          *int32            `json:"seat"`
	Decision      string            `json:"decision"`
	RequestID     string            `json:"request_id"`
	Options       []int             `json:"options"`
	Commands      []json.RawMessage `json:"commands"`
	Command       json.RawMessage   `json:"command"`
	ResumeToken   string            `json:"resume_token"`
	Choose        string            `json:"choose"`
	Seed          uint64            `json:"seed"`
	Think         float64           `json:"think"`
	Proposals     string            `json:"proposals"`
	WithEvents    bool              `json:"with_events"`
	Game          string            `json:"game"`
	At            []struct {
		Match  string `json:"match"`
		Secret string `json:"secret"`
	} `json:"at"`
	Bot        string   `json:"bot"`
	Reaction   string   `json:"reaction"`
	Tournament string   `json:"tournament"`
	Action     string   `json:"action"`
	Account    string   `json:"account"`
	First      int32    `json:"first_revision"`
	Iterations int32    `json:"iterations"`
	Trials     int32    `json:"trials"`
	Most       int      `json:"most"`
	Games      []string `json:"games"`
	MaxMatches *int     `json:"max_matches"`
	Mode       string   `json:"mode"`
	Parallel   int      `json:"parallel"`
	Seconds    float64  `json:"seconds"`
}

type object = map[string]any

// event reports that something happened in an operation.
type event func(object)

type driver struct {
	mu      sync.Mutex
	clients map[string]*taflhall.Client
	running map[int]context.CancelFunc
	out     *json.Encoder
}

var operations = map[string]func(*driver, context.Context, *arguments, event) (object, error){
	"connect": (*driver).connect, "close": (*driver).close, "call": (*driver).call,
	"create": (*driver).create, "join": (*driver).join, "start": (*driver).start,
	"get": (*driver).get, "submit": (*driver).submit, "explain": (*driver).explain,
	"watch": (*driver).watch, "play": (*driver).play, "play_all": (*driver).playAll,
	"watch_lobby": (*driver).watchLobby, "resign": (*driver).resign, "add_bot": (*driver).addBot,
	"rematch": (*driver).rematch, "react": (*driver).react, "analyse": (*driver).analyse,
	"tournament":         (*driver).tournament,
	"tournament_matches": (*driver).tournamentMatches, "standings": (*driver).standings,
	"watch_tournament": (*driver).watchTournament,
	"cancel":           (*driver).cancel, "bench": (*driver).bench,
}

func main() {
	d := &driver{
		clients: map[string]*taflhall.Client{},
		running: map[int]context.CancelFunc{},
		out:     json.NewEncoder(os.Stdout),
	}
	var names []string
	for name := range operations {
		names = append(names, name)
	}
	d.say(object{"protocol": 1, "client": "taflhall-go", "operations": names})
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		given := &arguments{}
		if err := json.Unmarshal(lines.Bytes(), given); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		ctx, cancel := context.WithCancel(context.Background())
		d.mu.Lock()
		d.running[given.ID] = cancel
		d.mu.Unlock()
		go d.carryOut(ctx, given)
	}
}

func (d *driver) say(line object) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.out.Encode(line)
}

func (d *driver) carryOut(ctx context.Context, given *arguments) {
	result, err := operations[given.Op](d, ctx, given, func(e object) {
		d.say(object{"id": given.ID, "event": e})
	})
	d.mu.Lock()
	d.running[given.ID]()
	delete(d.running, given.ID)
	d.mu.Unlock()
	if err != nil {
		d.say(object{"id": given.ID, "error": failure(err)})
		return
	}
	d.say(object{"id": given.ID, "result": result})
}

func failure(err error) object {
	var e *taflhall.Error
	if !errors.As(err, &e) {
		return object{"reason": "CLIENT", "message": err.Error(), "uncertain": false}
	}
	violations := []object{}
	var setup *taflhall.InvalidSetupError
	if errors.As(err, &setup) {
		for _, v := range setup.Violations() {
			violations = append(violations, object{"field": v.Field, "code": v.Code})
		}
	}
	return object{
		"reason": e.Reason, "message": e.Message, "metadata": e.Metadata, "uncertain": e.Uncertain(),
		"retry_after": e.RetryAfter.Seconds(), "violations": violations,
	}
}

func (d *driver) client(given *arguments) *taflhall.Client {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.clients[given.Client]
}

func (d *driver) match(given *arguments) *taflhall.Match {
	return d.client(given).Match(given.Match, given.Secret)
}

func seconds(number float64) time.Duration { return time.Duration(number * float64(time.Second)) }

func (d *driver) connect(_ context.Context, given *arguments, _ event) (object, error) {
	options := []taflhall.ClientOption{
		taflhall.WithKey(given.Key),
		taflhall.WithLanguage(given.Language),
		taflhall.WithTiming(taflhall.Timing{
			Call: seconds(given.Deadline), Connect: seconds(given.Connect), Attempt: seconds(given.Attempt),
			Silence: seconds(given.Silence), Patience: seconds(given.Patience),
			FirstPause: seconds(given.FirstPause), LongestPause: seconds(given.LongestPause),
		}),
	}
	if given.TLS != nil {
		config, err := taflhall.TLSFromFiles(given.TLS.CA, given.TLS.Cert, given.TLS.Key)
		if err != nil {
			return nil, err
		}
		options = append(options, taflhall.WithTLS(config))
	}
	client, err := taflhall.Connect(given.Address, options...)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.clients[given.Client] = client
	return object{}, nil
}

func (d *driver) close(_ context.Context, given *arguments, _ event) (object, error) {
	return object{}, d.client(given).Close()
}

func (d *driver) call(ctx context.Context, given *arguments, tell event) (object, error) {
	name := protoreflect.FullName(strings.ReplaceAll(given.Method, "/", "."))
	found, err := protoregistry.GlobalFiles.FindDescriptorByName(name)
	if err != nil {
		return nil, err
	}
	method := found.(protoreflect.MethodDescriptor)
	request, reply := made(method.Input()), made(method.Output())
	if err := protojson.Unmarshal(given.Request, request); err != nil {
		return nil, err
	}
	if method.IsStreamingServer() {
		return object{}, stream(ctx, d.client(given), "/"+given.Method, request, reply, tell)
	}
	if err := d.client(given).Call(ctx, "/"+given.Method, request, reply, given.Secret); err != nil {
		return nil, err
	}
	data, err := protojson.Marshal(reply)
	return object{"response": json.RawMessage(data)}, err
}

// stream makes a call that streams to the client, without a credential.
func stream(ctx context.Context, client *taflhall.Client, method string, request, reply proto.Message, tell event) error {
	stream, err := client.Conn().NewStream(ctx, &grpc.StreamDesc{ServerStreams: true}, method)
	if err != nil {
		return err
	}
	if err := errors.Join(stream.SendMsg(request), stream.CloseSend()); err != nil {
		return err
	}
	for {
		if err := stream.RecvMsg(reply); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		data, err := protojson.Marshal(reply)
		if err != nil {
			return err
		}
		tell(object{"message": json.RawMessage(data)})
	}
}

func made(kind protoreflect.MessageDescriptor) proto.Message {
	found, _ := protoregistry.GlobalTypes.FindMessageByName(kind.FullName())
	return found.New().Interface()
}

func (d *driver) create(ctx context.Context, given *arguments, _ event) (object, error) {
	setup := &taflhallv1.Setup{}
	if err := protojson.Unmarshal(given.Setup, setup); err != nil {
		return nil, err
	}
	options := []taflhall.CreateOption{taflhall.Title(given.Title)}
	if given.StartWhenFull {
		options = append(options, taflhall.StartWhenFull())
	}
	match, err := d.client(given).Create(ctx, setup, options...)
	if err != nil {
		return nil, err
	}
	return object{"match": match.ID, "secret": match.Secret}, nil
}

func (d *driver) join(ctx context.Context, given *arguments, _ event) (object, error) {
	options := []taflhall.JoinOption{taflhall.Seats(given.Seats...)}
	if given.Kind == "BOT" {
		options = append(options, taflhall.AsBot())
	}
	seat, err := d.match(given).Join(ctx, given.Name, options...)
	if err != nil {
		return nil, err
	}
	return object{"seats": seat.Seats, "secret": seat.Secret}, nil
}

func (d *driver) start(ctx context.Context, given *arguments, _ event) (object, error) {
	match, err := d.match(given).Start(ctx)
	return brief(match), err
}

func (d *driver) get(ctx context.Context, given *arguments, _ event) (object, error) {
	match := d.match(given)
	get := match.Get
	if given.Seat != nil {
		get = func(ctx context.Context) (*taflhallv1.GetMatchResponse, error) {
			return match.GetSeat(ctx, *given.Seat)
		}
	}
	state, err := get(ctx)
	if err != nil {
		return nil, err
	}
	decisions := []object{}
	for _, decision := range state.GetDecisions() {
		decisions = append(decisions, decisionOf(decision))
	}
	result := brief(state.GetMatch())
	result["decisions"], result["resume_token"] = decisions, state.GetResumeToken()
	return result, nil
}

func (d *driver) submit(ctx context.Context, given *arguments, _ event) (object, error) {
	match := d.match(given)
	var answers []*taflhallv1.DecisionAnswer
	for _, option := range given.Options {
		answers = append(answers, taflhall.Option(option))
	}
	for _, data := range given.Commands {
		command := &taflhallv1.Command{}
		if err := protojson.Unmarshal(data, command); err != nil {
			return nil, err
		}
		answers = append(answers, taflhall.Command(command))
	}
	id := given.Decision
	if id == "" {
		decision, err := match.Decision(ctx)
		if err != nil {
			return nil, err
		}
		id = decision.GetId()
	}
	submit := match.Submit
	if given.RequestID != "" {
		submit = func(ctx context.Context, id string, answers ...*taflhallv1.DecisionAnswer) (*taflhallv1.SubmitAnswersResponse, error) {
			return match.SubmitAs(ctx, given.RequestID, id, answers...)
		}
	}
	done, err := submit(ctx, id, answers...)
	if err != nil {
		return nil, err
	}
	result := object{
		"revision": done.GetRevision(), "applied": done.GetApplied(), "replayed": done.GetReplayed(),
		"status": name(done.GetStatus()), "refusal": refusal(done.GetRefusal()), "decision": nil,
	}
	if done.GetDecision() != nil {
		result["decision"] = decisionOf(done.GetDecision())
	}
	return result, nil
}

func (d *driver) explain(ctx context.Context, given *arguments, _ event) (object, error) {
	command := &taflhallv1.Command{}
	if err := protojson.Unmarshal(given.Command, command); err != nil {
		return nil, err
	}
	explain := d.match(given).Explain
	if given.Seat != nil {
		explain = func(ctx context.Context, command *taflhallv1.Command) (*taflhallv1.ExplainCommandResponse, error) {
			return d.match(given).ExplainSeat(ctx, *given.Seat, command)
		}
	}
	said, err := explain(ctx, command)
	if err != nil {
		return nil, err
	}
	return object{
		"legal": said.GetLegal(), "refusal": refusal(said.GetRefusal()), "rule_text": said.GetRuleText(),
	}, nil
}

func (d *driver) watch(ctx context.Context, given *arguments, tell event) (object, error) {
	options := []taflhall.WatchOption{taflhall.After(given.ResumeToken)}
	if given.Seat != nil {
		options = append(options, taflhall.FromSeat(*given.Seat))
	}
	for update, err := range d.match(given).Watch(ctx, options...) {
		if err != nil {
			return nil, err
		}
		if end := update.GetEnd(); end != nil {
			return object{"status": name(end.GetMatch().GetStatus()), "revision": update.GetRevision()}, nil
		}
		told := object{
			"revision": update.GetRevision(), "resume_token": update.GetResumeToken(), "snapshot": nil,
			"events": len(update.GetChange().GetEvents()), "status": name(update.GetChange().GetStatus()),
		}
		if snapshot := update.GetSnapshot(); snapshot != nil {
			told["status"] = name(snapshot.GetMatch().GetStatus())
			told["snapshot"] = strings.Replace(name(snapshot.GetCause()), "UNSPECIFIED", "BEGIN", 1)
		}
		tell(told)
	}
	return nil, errors.New("the watch ended without an end")
}

func (d *driver) play(ctx context.Context, given *arguments, tell event) (object, error) {
	options := []taflhall.PlayOption{taflhall.Proposals(policies[given.Proposals])}
	if given.WithEvents {
		options = append(options, taflhall.WithEvents())
	}
	match, err := d.match(given).Play(ctx, chooser(given, tell), options...)
	return brief(match), err
}

var policies = map[string]taflhallv1.ProposalPolicy{
	"agree":  taflhallv1.ProposalPolicy_PROPOSAL_POLICY_AGREE,
	"refuse": taflhallv1.ProposalPolicy_PROPOSAL_POLICY_REFUSE,
}

func (d *driver) playAll(ctx context.Context, given *arguments, tell event) (object, error) {
	client := d.client(given)
	options := []taflhall.PlayAllOption{
		taflhall.WithPlay(taflhall.Proposals(policies[given.Proposals])),
		taflhall.OnEnd(func(id string, match *taflhallv1.Match, err error) {
			if err != nil {
				tell(object{"match": id, "failure": failure(err)["reason"]})
				return
			}
			tell(object{"match": id, "end": name(match.GetStatus())})
		}),
	}
	for _, seat := range given.At {
		options = append(options, taflhall.AtSeats(client.Match(seat.Match, seat.Secret)))
	}
	if given.MaxMatches != nil {
		options = append(options, taflhall.Offer(*given.MaxMatches, given.Games...))
	}
	return object{}, client.PlayAll(ctx, func(entered *taflhallv1.PlayAllEntered) taflhall.Bot {
		id := entered.GetMatch().GetId()
		tell(object{"match": id, "entered": entered.GetSeats()})
		return chooser(given, func(answer object) {
			answer["match"] = id
			tell(answer)
		})
	}, options...)
}

// chooser returns the bot that an operation describes; it reports each answer.
func chooser(given *arguments, tell event) taflhall.Bot {
	random := taflhall.RandomBot(given.Seed)
	return taflhall.BotFunc(func(ctx context.Context, prompt *taflhallv1.PlayPrompt) (int, error) {
		select {
		case <-ctx.Done():
			return 0, ctx.Err()
		case <-time.After(seconds(given.Think)):
		}
		decision := prompt.GetDecision()
		option := 0
		switch given.Choose {
		case "last":
			option = len(decision.GetOptions()) - 1
		case "random":
			option, _ = random.Choose(ctx, prompt)
		}
		tell(object{
			"decision": decision.GetId(), "seat": decision.GetSeat(), "rule": decision.GetRule(), "option": option,
			"events": len(prompt.GetEvents()),
		})
		return option, nil
	})
}

func (d *driver) watchLobby(ctx context.Context, given *arguments, tell event) (object, error) {
	for update, err := range d.client(given).WatchLobby(ctx, &taflhallv1.ListMatchesRequest{Game: given.Game}) {
		switch {
		case err != nil:
			return nil, err
		case update.GetMatch() != nil:
			tell(object{"match": update.GetMatch().GetId()})
		case update.GetGoneMatchId() != "":
			tell(object{"gone": update.GetGoneMatchId()})
		case update.GetLost():
			tell(object{"lost": true})
		}
	}
	return object{}, nil
}

func (d *driver) resign(ctx context.Context, given *arguments, _ event) (object, error) {
	match := d.match(given)
	seat := given.Seat
	if seat == nil {
		state, err := match.Get(ctx)
		if err != nil {
			return nil, err
		}
		own := state.GetView().GetSeat()
		seat = &own
	}
	done, err := match.Resign(ctx, *seat)
	return brief(done), err
}

func (d *driver) addBot(ctx context.Context, given *arguments, _ event) (object, error) {
	match := d.match(given)
	if given.Seat != nil {
		done, err := match.AddBotToSeat(ctx, given.Bot, *given.Seat)
		return brief(done), err
	}
	done, err := match.AddBot(ctx, given.Bot)
	return brief(done), err
}

func (d *driver) rematch(ctx context.Context, given *arguments, _ event) (object, error) {
	seat, err := d.match(given).Rematch(ctx)
	if err != nil {
		return nil, err
	}
	return object{"match": seat.ID, "seats": seat.Seats, "secret": seat.Secret}, nil
}

func (d *driver) react(ctx context.Context, given *arguments, _ event) (object, error) {
	reaction := taflhallv1.Reaction_value["REACTION_"+given.Reaction]
	return object{}, d.match(given).React(ctx, taflhallv1.Reaction(reaction))
}

func (d *driver) cancel(_ context.Context, given *arguments, _ event) (object, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if cancel, found := d.running[given.Of]; found {
		cancel()
	}
	return object{}, nil
}

func brief(match *taflhallv1.Match) object {
	return object{"status": name(match.GetStatus()), "revision": match.GetRevision()}
}

func decisionOf(d *taflhallv1.Decision) object {
	return object{"id": d.GetId(), "seat": d.GetSeat(), "rule": d.GetRule(), "options": len(d.GetOptions())}
}

func refusal(r *taflhallv1.Refusal) any {
	if r == nil {
		return nil
	}
	return object{"rule": r.GetRule(), "code": r.GetCode(), "text": r.GetText()}
}

// name returns the name of an enum's value without its prefix.
func name(value interface {
	String() string
	Descriptor() protoreflect.EnumDescriptor
}) string {
	var prefix strings.Builder
	for i, letter := range string(value.Descriptor().Name()) {
		if i > 0 && letter >= 'A' && letter <= 'Z' {
			prefix.WriteByte('_')
		}
		prefix.WriteRune(letter)
	}
	return strings.TrimPrefix(value.String(), strings.ToUpper(prefix.String())+"_")
}
