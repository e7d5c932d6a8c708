import asyncio
import logging
import random
import sys
import tempfile
import time
from pathlib import Path

logging.basicConfig(level=logging.INFO, format="%(asctime)s.%(msecs)03d %(name)s %(message)s")
from agent.phone.line.line import Line
from agent.phone.line.options import LineOptions
from agent.phone.line.room import CallRoom
from tests.agent.livekit_server import running_livekit
from tests.agent.phone.baresip import baresip, free_port
from tests.agent.phone.interviewer import interviewing
from tests.agent.phone.sounds import *


async def main(s, d, codec):
    rate = 16000 if "G722" in codec else 8000
    line = Line(LineOptions.of(s), lambda c, r: CallRoom(s, c, r), rng=random.Random(1))
    await line.start()
    src = murmur(20, rate, 1)
    voice = murmur(20, 16000, 2)
    wav = write_wav(d / "say.wav", src, rate)
    async with interviewing(s, voice) as iv, baresip(d / "tel", wav, codec=codec) as tel:
        await tel.command("dial", f"sip:viva@127.0.0.1:{s.phone_port}")
        try:
            (talk,) = await asyncio.wait_for(iv.first(), 15)
        except TimeoutError:
            print("\n".join(tel.lines))
            print(tel.events)
            raise
        print(talk.caller.identity, talk.caller.kind, dict(talk.caller.attributes))
        await asyncio.sleep(3)
        await tel.command("sndcode", "5")
        await asyncio.sleep(1)
        await tel.command("sndcode", "#")
        await asyncio.sleep(2)
        print(line.status())
        print(talk.keys, dict(talk.caller.attributes))
        await talk.leave(is_over=True)
        t = time.time()
        ev = await asyncio.wait_for(tel.event("CALL_CLOSED"), 5)
        print(ev, time.time() - t)
        heard, hz = await tel.heard()
        print(
            "phone hears",
            len(heard) / hz,
            hz,
            alikeness(heard, voice, hz, 16000),
            "room hears",
            len(talk.sound) / 16000,
            alikeness(talk.sound, src, 16000, rate),
        )
        print("\n".join(tel.lines[-15:]))
    await line.stop()
    print(line.exchange.held, line.exchange.ports.in_use)


with tempfile.TemporaryDirectory() as t, running_livekit(Path(t)) as s:
    s = s.model_copy(update={"phone_port": free_port(), "phone": True})
    asyncio.run(main(s, Path(t), sys.argv[1]))
