"""Files of requests go to the provider and become batches; how these stand is asked, and what came of them fetched."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from baseline.models.chat.served_model import ServedModel
from baseline.models.providers import batch_service
from baseline.runs.batch_folder import BatchFolder
from baseline.runs.planned_runs import PlannedRun

FAILED = ("failed", "expired", "cancelled")


def send_batches(planned: PlannedRun, folder: BatchFolder) -> list[str]:
    """Upload each file of requests that has no batch yet and start its batch; return what was sent, in words."""
    return asyncio.run(_sent_requests(_server(planned), folder))


def fetch_results(planned: PlannedRun, folder: BatchFolder) -> list[str]:
    """Fetch the results of the folder's batches that have ended; return in words how all of them stand."""
    open_now = [path for path in folder.waiting() if folder.of(path).batch]
    return asyncio.run(_fetched(_server(planned), folder, open_now)) if open_now else []


def _server(planned: PlannedRun) -> ServedModel:
    assert isinstance(planned.model, ServedModel)
    return planned.model


async def _sent_requests(model: ServedModel, folder: BatchFolder) -> list[str]:
    lines: list[str] = []
    async with batch_service(model.url, model.key) as service:
        for path in folder.waiting():
            known, name = folder.of(path), f"{folder.run}/{path.name}"
            if known.batch:
                continue
            # Where the program ended between the start of a batch and its id, the batch is there and is paid.
            known.batch = await service.find(name) if known.begun else ""
            if not known.batch:
                known.begun = True
                folder.save()
                known.batch = await service.start(path, model.batch_url, name)
            folder.save()
            lines.append(f"{path.name} is batch {known.batch}")
    return lines


async def _fetched(model: ServedModel, folder: BatchFolder, open_now: Sequence[Path]) -> list[str]:
    lines: list[str] = []
    async with batch_service(model.url, model.key) as service:
        for path in open_now:
            known = folder.of(path)
            outcome = await service.outcome(known.batch)
            known.state = outcome.state
            why = f" ({outcome.reason})" if outcome.reason else ""
            lines.append(f"{path.name}: batch {known.batch} is {outcome.state}{why}")
            if not outcome.ended:
                continue
            for kind, file in outcome.files.items():
                await service.fetch(file, path.with_name(path.name.replace("requests", kind)))
            known.ended = True
    return lines
