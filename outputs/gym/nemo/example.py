"""Plays tasks with a model at an OpenAI-compatible endpoint, and prints their rewards as JSON.

    python example.py GYM ENDPOINT [COUNT]

The three servers of NeMo Gym (tasks, agent, model) run in this one process rather than through `ng_run`.
"""

import asyncio
import json
import os
import sys

import aiohttp
import uvicorn
from interplay_gym import Gym
from interplay_gym_nemo import AGENT, InterplayConfig, InterplayServer, rows
from nemo_gym.config_types import BaseServerConfig, ModelServerRef, ResourcesServerRef
from nemo_gym.global_config import NEMO_GYM_CONFIG_DICT_ENV_VAR_NAME
from nemo_gym.server_utils import ServerClient
from omegaconf import OmegaConf
from responses_api_agents.gymnasium_agent.app import GymnasiumAgent, GymnasiumAgentConfig
from responses_api_models.openai_model.app import SimpleModelServer, SimpleModelServerConfig

PORTS = {"interplay": 8131, AGENT: 8132, "policy_model": 8133}
KINDS = {"interplay": "resources_servers", AGENT: "responses_api_agents", "policy_model": "responses_api_models"}
HOST = "127.0.0.1"


async def main(gym: str, endpoint: str, count: str = "10") -> None:
    """Run the three servers, and let the agent play each row."""
    known = {name: {KINDS[name]: {"app": {"host": HOST, "port": port}}} for name, port in PORTS.items()}
    os.environ[NEMO_GYM_CONFIG_DICT_ENV_VAR_NAME] = json.dumps(known)
    client = ServerClient(
        head_server_config=BaseServerConfig(host=HOST, port=8130), global_config_dict=OmegaConf.create(known)
    )

    def placed(name: str) -> dict[str, object]:
        return {"name": name, "host": HOST, "port": PORTS[name], "entrypoint": "app.py"}

    tasks = InterplayServer(config=InterplayConfig(**placed("interplay"), gym=gym), server_client=client)
    agent = GymnasiumAgent(
        config=GymnasiumAgentConfig(
            **placed(AGENT), max_steps=40,
            resources_server=ResourcesServerRef(type="resources_servers", name="interplay"),
            model_server=ModelServerRef(type="responses_api_models", name="policy_model"),
        ),
        server_client=client,
    )  # fmt: skip
    model = SimpleModelServer(
        config=SimpleModelServerConfig(
            **placed("policy_model"), openai_base_url=endpoint, openai_api_key="none", openai_model="scripted"
        ),
        server_client=client,
    )
    served = [
        uvicorn.Server(uvicorn.Config(each.setup_webserver(), host=HOST, port=each.config.port, log_level="warning"))
        for each in (tasks, agent, model)
    ]
    running = [asyncio.create_task(server.serve()) for server in served]
    while not all(server.started for server in served):
        await asyncio.sleep(0.1)
    rewards = []
    async with aiohttp.ClientSession() as asking:
        for row in rows(Gym(gym), int(count)):
            async with asking.post(f"http://{HOST}:{PORTS[AGENT]}/run", json=row) as answer:
                told = await answer.text()
                if answer.status != 200:
                    raise SystemExit(told[:3000])
                rewards.append(json.loads(told)["reward"])
    for server in served:
        server.should_exit = True
    await asyncio.gather(*running)
    sys.stdout.write(json.dumps(rewards) + "\n")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
