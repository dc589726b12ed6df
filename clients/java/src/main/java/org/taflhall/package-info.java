/**
 * The Java client of Taflhall: hosted matches of board games over gRPC.
 *
 * <pre>{@code
 * try (Client client = Client.connect("localhost:50051")) {
 *   MatchHandle match = client.create(Client.setup("yggdrasil", 2));
 *   MatchHandle ann = match.join("Ann", request -> request.addSeats(0).addSeats(1));
 *   ann.start();
 *   Match end = ann.play(Bot.random(1));
 * }
 * }</pre>
 *
 * <p>Values are the messages of the contract: package {@code org.taflhall.v1} has matches, decisions
 * and events, and each game has a package of its own. Where a request has optional fields, a method
 * takes a function that sets them on the builder of the request.
 *
 * <p><b>Calls.</b> Methods block. A call whose outcome is unknown is repeated with the same request id
 * until it is definite or its time is up: that of the {@link io.grpc.Context}, or {@link
 * org.taflhall.Timing#call}. A call above a rate limit is repeated after the pause that the server
 * asks for. What remains is a {@link org.taflhall.TaflhallException} with a {@link
 * org.taflhall.Reason}.
 *
 * <p><b>Nobody there.</b> Until a server has answered for the first time, a call or a stream is given up
 * after {@link org.taflhall.Timing#connect}, with an {@link org.taflhall.UnreachableException}.
 *
 * <p><b>Streams.</b> {@link org.taflhall.Watch}, {@link org.taflhall.MatchHandle#play} and {@link
 * org.taflhall.PlayAll} open a lost stream again. A watch continues after the last message and delivers
 * each change once.
 *
 * <p><b>Cancellation.</b> A call or a stream ends at once, on the server too, when its thread is
 * interrupted, when its {@link io.grpc.Context} is cancelled, or when the future of {@link
 * org.taflhall.Client#async} is. It then fails with {@link org.taflhall.Reason#CANCELLED}.
 */
package org.taflhall;
