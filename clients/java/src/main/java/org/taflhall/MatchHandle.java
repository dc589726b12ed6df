package org.taflhall;

import com.google.protobuf.MessageLite;
import io.grpc.MethodDescriptor;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.taflhall.v1.AbandonMatchRequest;
import org.taflhall.v1.AbandonProposal;
import org.taflhall.v1.AddBotRequest;
import org.taflhall.v1.Command;
import org.taflhall.v1.Decision;
import org.taflhall.v1.DecisionAnswer;
import org.taflhall.v1.DeclineInvitationRequest;
import org.taflhall.v1.DelegateSeatRequest;
import org.taflhall.v1.ExplainCommandRequest;
import org.taflhall.v1.ExplainCommandResponse;
import org.taflhall.v1.GetMatchRecordRequest;
import org.taflhall.v1.GetMatchRequest;
import org.taflhall.v1.GetMatchResponse;
import org.taflhall.v1.GetMatchViewRequest;
import org.taflhall.v1.GetMatchViewResponse;
import org.taflhall.v1.InviteToMatchRequest;
import org.taflhall.v1.JoinMatchRequest;
import org.taflhall.v1.JoinRematchRequest;
import org.taflhall.v1.LeaveMatchRequest;
import org.taflhall.v1.ListMatchEventsRequest;
import org.taflhall.v1.LobbyServiceGrpc;
import org.taflhall.v1.Match;
import org.taflhall.v1.MatchRecord;
import org.taflhall.v1.MatchServiceGrpc;
import org.taflhall.v1.PlayEnter;
import org.taflhall.v1.ProposeToPlayersRequest;
import org.taflhall.v1.Reaction;
import org.taflhall.v1.ReclaimSeatRequest;
import org.taflhall.v1.RemovePlayerRequest;
import org.taflhall.v1.ResignSeatRequest;
import org.taflhall.v1.RespondToProposalRequest;
import org.taflhall.v1.RevisionEvents;
import org.taflhall.v1.SeatKind;
import org.taflhall.v1.SendReactionRequest;
import org.taflhall.v1.StartMatchRequest;
import org.taflhall.v1.SubmitAnswersRequest;
import org.taflhall.v1.SubmitAnswersResponse;
import org.taflhall.v1.UndoProposal;
import org.taflhall.v1.WatchMatchRequest;

/** A hosted match, as the owner of a secret (or a spectator without one) may use it. */
public final class MatchHandle {
  private final Client client;
  private final String id;
  private final String secret;
  private final List<Integer> seats;
  private final String joinCode;

  MatchHandle(Client client, String id, String secret, List<Integer> seats, String joinCode) {
    this.client = client;
    this.id = id;
    this.secret = secret;
    this.seats = List.copyOf(seats);
    this.joinCode = joinCode;
  }

  /**
   * Returns the client.
   *
   * @return the client
   */
  public Client client() {
    return client;
  }

  /**
   * Returns the id of the match.
   *
   * @return the id
   */
  public String id() {
    return id;
  }

  /**
   * Returns what proves the seats, or the right to start; keep it to come back.
   *
   * @return the secret; empty for a spectator
   */
  public String secret() {
    return secret;
  }

  /**
   * Returns the seats that were taken by {@link #join}.
   *
   * @return the seats; empty otherwise
   */
  public List<Integer> seats() {
    return seats;
  }

  /**
   * Returns what lets its bearer join.
   *
   * @return the join code, known to who has created the match; empty otherwise
   */
  public String joinCode() {
    return joinCode;
  }

  /**
   * Takes the lowest free seat.
   *
   * @param name a name for people
   * @return the match, as seen from the seat
   */
  public MatchHandle join(String name) {
    return join(name, request -> {});
  }

  /**
   * Takes seats.
   *
   * @param name a name for people
   * @param options sets further fields of the request: seats, the kind of player, a join code
   * @return the match, as seen from the seats
   */
  public MatchHandle join(String name, Consumer<JoinMatchRequest.Builder> options) {
    String who = client.key().isEmpty() ? secret : client.key(); // the account joins
    return client.join(JoinMatchRequest.newBuilder().setMatchId(id).setName(name), who, options);
  }

  /**
   * Starts the match; every seat must be taken.
   *
   * @return the match
   */
  public Match start() {
    var request = StartMatchRequest.newBuilder().setMatchId(id).setLanguage(client.language());
    return call(MatchServiceGrpc.getStartMatchMethod(), request.build()).getMatch();
  }

  /**
   * Returns the match as it is, with the view and the options of the lowest of our seats.
   *
   * @return the match
   */
  public GetMatchResponse get() {
    return get(request -> {});
  }

  /**
   * Returns the match as it is.
   *
   * @param options sets further fields of the request, such as the seat
   * @return the match
   */
  public GetMatchResponse get(Consumer<GetMatchRequest.Builder> options) {
    var request =
        GetMatchRequest.newBuilder()
            .setMatchId(id)
            .setWithView(true)
            .setWithOptions(true)
            .setLanguage(client.language());
    options.accept(request);
    return call(MatchServiceGrpc.getGetMatchMethod(), request.build());
  }

  /**
   * Returns the pending decision of the lowest of our seats that has one, with its options.
   *
   * @return the decision, if one is pending
   */
  public Optional<Decision> decision() {
    return get(request -> request.setWithView(false)).getDecisionsList().stream()
        .filter(decision -> decision.getOptionsCount() > 0)
        .findFirst();
  }

  /**
   * Answers a decision, and those of the same seat that follow it if there are several answers. The
   * first refused answer ends the list; those before it stand.
   *
   * @param decisionId the decision
   * @param answers one answer or several; see {@link Answers}
   * @return what has happened, with the next decision
   */
  public SubmitAnswersResponse submit(String decisionId, DecisionAnswer... answers) {
    return submitAs(Client.newRequestId(), decisionId, answers);
  }

  /**
   * Answers a decision as {@link #submit} does, under a request id of the caller's, which makes it
   * safe to repeat the call in another process.
   *
   * @param requestId the request id
   * @param decisionId the decision
   * @param answers one answer or several; see {@link Answers}
   * @return what has happened, with the next decision
   */
  public SubmitAnswersResponse submitAs(
      String requestId, String decisionId, DecisionAnswer... answers) {
    var request =
        SubmitAnswersRequest.newBuilder()
            .setMatchId(id)
            .setDecisionId(decisionId)
            .setRequestId(requestId)
            .addAllAnswers(List.of(answers))
            .setWithOptions(true)
            .setLanguage(client.language());
    return call(MatchServiceGrpc.getSubmitAnswersMethod(), request.build());
  }

  /**
   * Says whether a command of the lowest of our seats would be legal now, and why not; nothing
   * changes.
   *
   * @param command the command
   * @return the verdict, in the language of the client, or else in English
   */
  public ExplainCommandResponse explain(Command command) {
    return explain(command, request -> {});
  }

  /**
   * Says whether a command would be legal now, and why not; nothing changes.
   *
   * @param command the command
   * @param options sets further fields of the request, such as the seat
   * @return the verdict, in the language of the client, or else in English
   */
  public ExplainCommandResponse explain(
      Command command, Consumer<ExplainCommandRequest.Builder> options) {
    var request =
        ExplainCommandRequest.newBuilder()
            .setMatchId(id)
            .setCommand(command)
            .setLanguage(client.language().isEmpty() ? "en" : client.language());
    options.accept(request);
    return call(MatchServiceGrpc.getExplainCommandMethod(), request.build());
  }

  /**
   * Watches the match from now on, until it is over.
   *
   * @return a snapshot, then one change after another, in the end the end; close it
   */
  public Watch<Update> watch() {
    return watch(request -> {});
  }

  /**
   * Watches the match until it is over. A change comes once. After a snapshot in between, whose cause
   * says why, what was known before is void.
   *
   * @param options sets fields of the request: the resume token to continue from, the seat, views
   * @return what happens; close it
   */
  public Watch<Update> watch(Consumer<WatchMatchRequest.Builder> options) {
    var request = WatchMatchRequest.newBuilder().setMatchId(id).setLanguage(client.language());
    options.accept(request);
    return new Watch<>(client, new MatchSource(client, secret, request));
  }

  /**
   * Lets a bot answer every decision of our seats until the match is over. A lost stream is opened
   * again. The stream is read while the bot thinks, so a bot that never answers ends with its match.
   *
   * @param bot the bot
   * @return the match that is over
   */
  public Match play(Bot bot) {
    return play(bot, enter -> {});
  }

  /**
   * Lets a bot play as {@link #play(Bot)} does.
   *
   * @param bot the bot
   * @param options sets how: without views, with events, the reply to proposals of others
   * @return the match that is over
   */
  public Match play(Bot bot, Consumer<PlayEnter.Builder> options) {
    var enter =
        PlayEnter.newBuilder()
            .setMatchId(id)
            .setWithView(true)
            .setLanguage(client.language());
    options.accept(enter);
    return new Play(this, bot, enter).run();
  }

  /**
   * Gives the match up for a seat.
   *
   * @param seat the seat
   * @return the match
   */
  public Match resign(int seat) {
    var request =
        ResignSeatRequest.newBuilder()
            .setMatchId(id)
            .setSeat(seat)
            .setRequestId(Client.newRequestId());
    return call(MatchServiceGrpc.getResignSeatMethod(), request.build()).getMatch();
  }

  /**
   * Frees all our seats before the match starts.
   *
   * @return the match
   */
  public Match leave() {
    var request =
        LeaveMatchRequest.newBuilder().setMatchId(id).setRequestId(Client.newRequestId());
    return call(MatchServiceGrpc.getLeaveMatchMethod(), request.build()).getMatch();
  }

  /**
   * Lets a deputy act for a seat until we reclaim it.
   *
   * @param seat the seat
   * @param name the name of the deputy
   * @param kind whether it is a person or a bot
   * @return the match as the deputy sees it
   */
  public MatchHandle delegate(int seat, String name, SeatKind kind) {
    var request =
        DelegateSeatRequest.newBuilder()
            .setMatchId(id)
            .setSeat(seat)
            .setName(name)
            .setKind(kind)
            .setRequestId(Client.newRequestId());
    var reply = call(MatchServiceGrpc.getDelegateSeatMethod(), request.build());
    return new MatchHandle(client, id, reply.getDeputySecret(), List.of(seat), "");
  }

  /**
   * Dismisses the deputy or the stand-in of a seat.
   *
   * @param seat the seat
   * @return the match
   */
  public Match reclaim(int seat) {
    var request = ReclaimSeatRequest.newBuilder().setMatchId(id).setSeat(seat);
    return call(MatchServiceGrpc.getReclaimSeatMethod(), request.build()).getMatch();
  }

  /**
   * Proposes to take the latest answer of the lowest of our seats back. If no other consent is needed,
   * it happens at once.
   *
   * @return the match; without a proposal if it has happened
   */
  public Match undo() {
    return propose(request -> request.setUndo(UndoProposal.getDefaultInstance()));
  }

  /**
   * Ends the match without a winner, or proposes it to the others who play. Before the start only its
   * creator may do so.
   *
   * @return the match; without a proposal if it is over
   */
  public Match abandon() {
    var request =
        AbandonMatchRequest.newBuilder().setMatchId(id).setRequestId(Client.newRequestId());
    try {
      return call(MatchServiceGrpc.getAbandonMatchMethod(), request.build()).getMatch();
    } catch (TaflhallException failure) {
      if (failure.reason() != Reason.CONSENT_REQUIRED) {
        throw failure;
      }
      return propose(proposal -> proposal.setAbandon(AbandonProposal.getDefaultInstance()));
    }
  }

  private Match propose(Consumer<ProposeToPlayersRequest.Builder> what) {
    var request =
        ProposeToPlayersRequest.newBuilder().setMatchId(id).setRequestId(Client.newRequestId());
    what.accept(request);
    return call(MatchServiceGrpc.getProposeToPlayersMethod(), request.build()).getMatch();
  }

  /**
   * Agrees to a proposal for all our seats, or refuses it.
   *
   * @param proposalId the proposal
   * @param agree whether we agree
   * @return the match
   */
  public Match respond(String proposalId, boolean agree) {
    var request =
        RespondToProposalRequest.newBuilder()
            .setMatchId(id)
            .setProposalId(proposalId)
            .setAgree(agree)
            .setRequestId(Client.newRequestId());
    return call(MatchServiceGrpc.getRespondToProposalMethod(), request.build()).getMatch();
  }

  /**
   * Reserves the lowest free seat for an account; it is for the creator.
   *
   * @param accountId the account
   * @return the match
   */
  public Match invite(String accountId) {
    return invite(accountId, request -> {});
  }

  /**
   * Reserves a free seat for an account; it is for the creator.
   *
   * @param accountId the account
   * @param options sets further fields of the request, such as the seat
   * @return the match
   */
  public Match invite(String accountId, Consumer<InviteToMatchRequest.Builder> options) {
    var request =
        InviteToMatchRequest.newBuilder()
            .setMatchId(id)
            .setAccountId(accountId)
            .setRequestId(Client.newRequestId());
    options.accept(request);
    return call(LobbyServiceGrpc.getInviteToMatchMethod(), request.build()).getMatch();
  }

  /** Gives back the seats that are reserved for our account. */
  public void decline() {
    var request =
        DeclineInvitationRequest.newBuilder().setMatchId(id).setRequestId(Client.newRequestId());
    call(LobbyServiceGrpc.getDeclineInvitationMethod(), request.build());
  }

  /**
   * Frees a seat before the start, whoever holds it; it is for the creator.
   *
   * @param seat the seat
   * @return the match
   */
  public Match remove(int seat) {
    var request =
        RemovePlayerRequest.newBuilder()
            .setMatchId(id)
            .setSeat(seat)
            .setRequestId(Client.newRequestId());
    return call(LobbyServiceGrpc.getRemovePlayerMethod(), request.build()).getMatch();
  }

  /**
   * Lets a bot of the server take the lowest free seat; it is for the creator.
   *
   * @param botId the bot, one of those that {@link Client#games} lists
   * @return the match
   */
  public Match addBot(String botId) {
    return addBot(botId, request -> {});
  }

  /**
   * Lets a bot of the server take a free seat; it is for the creator.
   *
   * @param botId the bot, one of those that {@link Client#games} lists
   * @param options sets further fields of the request: the seat, a name
   * @return the match
   */
  public Match addBot(String botId, Consumer<AddBotRequest.Builder> options) {
    var request =
        AddBotRequest.newBuilder()
            .setMatchId(id)
            .setBotId(botId)
            .setRequestId(Client.newRequestId());
    options.accept(request);
    return call(LobbyServiceGrpc.getAddBotMethod(), request.build()).getMatch();
  }

  /**
   * Sits down at the rematch of this match, which is over. It starts when all players have come.
   *
   * @return the rematch, as seen from our seats there
   */
  public MatchHandle rematch() {
    var request =
        JoinRematchRequest.newBuilder().setMatchId(id).setRequestId(Client.newRequestId());
    var reply = call(LobbyServiceGrpc.getJoinRematchMethod(), request.build());
    String next = reply.getMatch().getId();
    return new MatchHandle(client, next, reply.getSeatSecret(), reply.getSeatsList(), "");
  }

  /**
   * Shows a reaction of the lowest of our seats to those who follow the match now.
   *
   * @param reaction what it shows
   */
  public void react(Reaction reaction) {
    var request = SendReactionRequest.newBuilder().setMatchId(id).setReaction(reaction);
    call(MatchServiceGrpc.getSendReactionMethod(), request.build());
  }

  /**
   * Returns what the lowest of our seats may know of the revisions up to the newest, in order. Pages
   * are fetched as they are read.
   *
   * @param first the first revision
   * @return the revisions with their events
   */
  public Stream<RevisionEvents> history(int first) {
    var request =
        ListMatchEventsRequest.newBuilder()
            .setMatchId(id)
            .setFirstRevision(first)
            .setLanguage(client.language());
    var method = MatchServiceGrpc.getListMatchEventsMethod();
    return Stream.iterate(
            call(method, request.build()),
            Objects::nonNull,
            page ->
                page.getNextPageToken().isEmpty()
                    ? null
                    : call(method, request.setPageToken(page.getNextPageToken()).build()))
        .flatMap(page -> page.getRevisionsList().stream());
  }

  /**
   * Returns the record of a match that is over.
   *
   * @return the record
   */
  public MatchRecord record() {
    var request = GetMatchRecordRequest.newBuilder().setMatchId(id).setLanguage(client.language());
    return call(MatchServiceGrpc.getGetMatchRecordMethod(), request.build()).getRecord();
  }

  /**
   * Returns what the lowest of our seats could know at an earlier revision.
   *
   * @param revision the revision
   * @return the view
   */
  public GetMatchViewResponse viewAt(int revision) {
    var request =
        GetMatchViewRequest.newBuilder()
            .setMatchId(id)
            .setRevision(revision)
            .setLanguage(client.language());
    return call(MatchServiceGrpc.getGetMatchViewMethod(), request.build());
  }

  /**
   * Returns the id, without the secret.
   *
   * @return the text
   */
  @Override
  public String toString() {
    return "match " + id;
  }

  private <Q extends MessageLite, R> R call(MethodDescriptor<Q, R> method, Q request) {
    return client.call(method, request, secret);
  }
}
