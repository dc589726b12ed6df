// Package taflhall is the Go client of Taflhall: hosted matches of board games over gRPC.
//
//	client, err := taflhall.Connect("localhost:50051")
//	if err != nil { ... }
//	defer client.Close()
//	match, err := client.Create(ctx, taflhall.Setup("yggdrasil", 2))
//	ann, err := match.Join(ctx, "Ann", taflhall.Seats(0, 1))
//	_, err = match.Start(ctx)
//	final, err := ann.Play(ctx, taflhall.RandomBot(1))
//
// Values are the messages of the contract, in the packages below gen: package taflhallv1 has
// matches, decisions and events, and each game has a package of its own.
//
// # Calls
//
// A call whose outcome is unknown is repeated with the same request id until it is definite or its
// time is up: that of the context, or [Timing.Call]. A call above a rate limit is repeated after
// the pause that the server asks for. What remains is an [*Error]; [errors.Is] compares it with a
// [Reason], and [errors.As] finds the types of single reasons, such as [*IllegalCommandError].
//
// Until a server has answered for the first time, a call or a stream is given up after
// [Timing.Connect], with an [*UnreachableError] that says which addresses were tried.
//
// # Streams
//
// [Match.Watch] and [Match.Play] open a lost stream again. A watch continues after the last message
// and delivers each change once.
//
// # Contexts
//
// A cancelled context ends a call or a stream at once, on the server too.
package taflhall
