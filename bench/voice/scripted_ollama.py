"""An Ollama that says what a script has, after the seconds that real models take: for both sides, over HTTP.

The seconds are those of `bench/parallel_turn.py`. Viva's worker and the default's find it at `ollama_url` and use it as
any other: prompts, structured output, gates and retries are the real ones. Who asks is told by the form of the reply.
"""

from __future__ import annotations

import asyncio
import json
import re
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import StreamingResponse

from bench.parallel_turn import A_WORD_S, CHOSEN_S, FIRST_WORD_S, FOLLOWED_UP_S, JUDGED_S, REVIEWED_S
from bench.scripted_chat import Says

MODEL = "scripted"
_READY_S = 20.0
_QUOTED_WORDS = 6


def settings_for(url: str) -> dict[str, Any]:
    """Settings of a Viva that uses it for everything but telling requests from answers."""
    model = f"ollama:{MODEL}"
    return {
        "ollama_url": url,
        "complex_model": model,
        "fast_model": model,
        "judge": "auto",
        "model_feedback": True,
        # Whether an answer is one is told by rules on both sides, as in bench/parallel_turn.py.
        "model_intents": False,
    }


@contextmanager
def running_models() -> Iterator[str]:
    """Serve on a free port of this machine; the address."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port = held.getsockname()[1]
    server = uvicorn.Server(uvicorn.Config(make_app(), host="127.0.0.1", port=port, log_level="error"))
    thread = threading.Thread(target=server.run, name="scripted-ollama")
    thread.start()
    try:
        deadline = time.monotonic() + _READY_S
        while not server.started:
            if time.monotonic() > deadline or not thread.is_alive():
                raise RuntimeError("the scripted language models did not start")
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join()


def make_app() -> FastAPI:
    """The two routes of Ollama that are used."""
    app = FastAPI()

    @app.get("/api/tags")
    def tags() -> dict[str, object]:
        return {"models": [{"name": f"{MODEL}:latest", "model": f"{MODEL}:latest"}]}

    @app.post("/api/chat")
    async def chat(request: Request) -> StreamingResponse:
        asked = await request.json()
        return StreamingResponse(_lines(reply_to(asked)), media_type="application/x-ndjson")

    return app


def reply_to(asked: Mapping[str, Any]) -> Says:
    """What a request gets, by the name of the form that it wants the reply in; without one it wants feedback."""
    prompt = str(asked["messages"][-1]["content"])
    form = asked.get("format")
    if not form:
        return _feedback(prompt)
    title = str(form["title"])
    if title not in _SCRIPT:
        raise LookupError(f"the scripted models have no reply of the form {title!r}")
    return _SCRIPT[title](prompt)


def _verdicts(prompt: str) -> Says:
    """Half of the points are covered, with words that were said, so that there is something to follow up."""
    points = sum(bool(re.match(r"\d+\.", line)) for line in prompt.splitlines())
    said = re.search(r"<answer>(.*)</answer>", prompt, re.DOTALL)
    quote = " ".join(said[1].split()[:_QUOTED_WORDS]) if said else ""
    verdicts = [
        {"point": n, "quote": quote if n % 2 else "", "status": "covered" if n % 2 else "missing"}
        for n in range(1, max(1, points) + 1)
    ]
    return Says({"verdicts": verdicts}, after_s=JUDGED_S)


def _feedback(prompt: str) -> Says:
    """Two sentences about what the prompt lists, so that the gates have no reason to refuse them."""
    # Behind the claim stand the candidate's words, which are not to be read out.
    good = re.search(r"Good:\s*\n- ([^(\n]+)", prompt)
    gap = re.search(r"Gap: (.+)", prompt)
    first = f"You brought out that {_inside(good[1])}." if good else "Thank you for thinking that through with me."
    then = f" It is worth another thought how {_inside(gap[1])} fits in." if gap else ""
    return Says(first + then, after_s=FIRST_WORD_S, a_word_s=A_WORD_S)


def _inside(text: str) -> str:
    text = text.strip().rstrip(".")
    return text[:1].lower() + text[1:]


def _first_candidate(prompt: str) -> Says:
    candidates = prompt.partition("Candidates:")[2].strip().splitlines()
    chosen = candidates[0].strip("- ").partition(":")[0] if candidates else ""
    return Says({"selected_id": chosen}, after_s=CHOSEN_S)


_SCRIPT: Mapping[str, Callable[[str], Says]] = {
    "ModelVerdicts": _verdicts,
    "Reviews": lambda _: Says({"reviews": []}, after_s=REVIEWED_S),
    "QuestionReply": lambda _: Says({"question": "And what would you do when that fails?"}, after_s=FOLLOWED_UP_S),
    "SelectionReply": _first_candidate,
    "PlanReply": lambda _: Says({"reason": "", "topics": []}),
    "ContextReply": lambda _: Says({"role": "", "company": "", "requirements": [], "years": -1}),
    "SummaryReply": lambda _: Says({"summary": "They talked about their work."}, after_s=JUDGED_S),
    "GradeReply": lambda _: Says({"feedback": "They fit.", "grade": "medium"}, after_s=CHOSEN_S),
    "QueryReply": lambda _: Says({"query": "another way to ask for it"}, after_s=CHOSEN_S),
}


async def _lines(says: Says) -> AsyncIterator[str]:
    """The reply as Ollama streams it: what comes in one piece waits for all of its time."""
    await asyncio.sleep(says.after_s)
    words = re.findall(r"\S+\s*", says.text) if says.a_word_s else [says.text]
    for word in words:
        await asyncio.sleep(says.a_word_s)
        yield _line(word, done=False)
    yield _line("", done=True)


def _line(content: str, *, done: bool) -> str:
    told = {"done_reason": "stop", "prompt_eval_count": 1, "eval_count": 1} if done else {}
    message = {"role": "assistant", "content": content}
    made = {"model": MODEL, "created_at": "2024-01-01T00:00:00Z", "message": message, "done": done, **told}
    return json.dumps(made) + "\n"
