"""A program that speaks gRPC by the SDK: ADDRESS MATCH SECRET, and what it does wrong."""

import sys
import threading
from typing import Any

import grpc

from taflhall.v1 import match_service_pb2 as rpc
from taflhall.v1.match_service_pb2_grpc import MatchServiceStub

address, match_id, secret, wrong = [*sys.argv[1:], ""][:4]
done = threading.Event()


def play(stub: Any) -> bool:
    """Play one stream; return whether the match is over."""
    said: list[rpc.PlayRequest] = [rpc.PlayRequest(enter=rpc.PlayEnter(match_id=match_id))]
    ready = threading.Semaphore(1)

    def requests() -> Any:
        while not done.is_set():
            ready.acquire()
            yield said.pop(0)

    answers = 0
    for message in stub.Play(requests(), metadata=(("authorization", f"Bearer {secret}"),)):
        kind = message.WhichOneof("response")
        if kind == "end":
            return True
        if kind == "rejection" and wrong == "touchy":
            sys.exit("how dare you")
        if kind == "prompt":
            answers += 1
            if answers == 3 and wrong == "leaves":
                sys.exit(0)
            if answers == 3 and wrong == "silent":
                continue
            options = message.prompt.decision.options
            if wrong == "knows" and any(not o.command.WhichOneof("game") for o in options):
                sys.exit("what is that?")
            option = rpc.DecisionAnswer(option=999 if wrong == "far" and answers == 3 else 0)
            decision_id = message.prompt.decision.id
            answer = rpc.PlayAnswer(decision_id=decision_id, answers=[option])
            said.append(rpc.PlayRequest(answer=answer))
            ready.release()
    return False


while True:
    try:
        with grpc.insecure_channel(address) as channel:
            if play(MatchServiceStub(channel)):
                break
    except grpc.RpcError:
        if wrong == "gives up":
            raise
    done.wait(0.2)
if wrong == "stays":
    done.wait()
