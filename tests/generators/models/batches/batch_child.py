"""Play dialogues in batches in a process of its own, which can be killed: `python -m ... WIRE ADDRESS FOLDER`."""

import asyncio
import json
import sys
from pathlib import Path

from tests.generators.models.batches.desks import open_desk
from tests.generators.models.wires import ENVIRON

from interplay.generators.models.providers.sdk_endpoints import open_endpoint
from interplay.generators.models.transport.endpoint_settings import EndpointSettings


async def main(wire: str, address: str, folder: Path) -> None:
    provider = "anthropic" if wire == "messages" else "openai"
    settings = EndpointSettings(model="m", provider=provider, base_url=address, api_key_env="PLANTED_KEY")
    async with open_desk(folder, open_endpoint(settings, ENVIRON)) as desk:
        print(json.dumps(await desk.play()), flush=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], Path(sys.argv[3])))
