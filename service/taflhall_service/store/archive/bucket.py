"""An archive in a bucket of objects: Amazon S3 and what speaks like it, Google Cloud, or Azure.

Where the bucket is and who asks comes from the environment, under the names that each of them
has for it: ``AWS_REGION``, ``AWS_ENDPOINT``, ``AWS_ACCESS_KEY_ID``, ``GOOGLE_SERVICE_ACCOUNT``,
``AZURE_STORAGE_ACCOUNT_NAME`` and so on. An object appears whole or not at all, and is durable
once its put is answered: so these services promise.
"""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Final

from obstore import get_async, put_async
from obstore.exceptions import BaseError, PermissionDeniedError, UnauthenticatedError
from obstore.store import from_url

RETRIES: Final = 3
"""How often a call is repeated that was not answered, or with a 5xx."""

PATIENCE: Final = timedelta(seconds=20)
"""After this time no call is repeated; one alone may take half a minute."""

NO_BUCKET: Final = ("NoSuchBucket", "ContainerNotFound", "bucket does not exist")
"""How the services tell that it is not the object that is missing."""


class BucketFails(OSError):
    """The bucket does not do what it was asked; its address, which may hold a key, is not told."""


class BucketDenied(BucketFails):
    """The bucket does not know us, or does not allow it."""


class BucketMissing(BucketFails):
    """There is no such bucket."""


class ObjectArchive:
    """Keeps records as objects below *url*, like ``s3://BUCKET/PATH``.

    Raise :exc:`ValueError` if the url or the environment says too little; the message tells what.
    """

    def __init__(self, url: str) -> None:
        try:
            self._bucket = from_url(
                url, retry_config={"max_retries": RETRIES, "retry_timeout": PATIENCE}
            )
        except BaseError as error:
            raise ValueError(_gist(error)) from None

    async def put(self, name: str, data: bytes) -> None:
        try:
            await put_async(self._bucket, name, data)
        except FileNotFoundError as error:
            raise BucketMissing(_gist(error)) from None
        except (BaseError, OSError) as error:
            raise _failure(error) from None

    async def get(self, name: str) -> bytes | None:
        try:
            found = await get_async(self._bucket, name)
            return bytes(await found.bytes_async())
        except FileNotFoundError as error:
            if any(sign in str(error) for sign in NO_BUCKET):
                raise BucketMissing(_gist(error)) from None
            return None
        except (BaseError, OSError) as error:
            raise _failure(error) from None


def _failure(error: Exception) -> BucketFails:
    denied = isinstance(error, PermissionDeniedError | UnauthenticatedError)
    return BucketDenied(_gist(error)) if denied else BucketFails(_gist(error))


def _gist(error: Exception) -> str:
    """Return the first line of what went wrong, without addresses and what the service wrote."""
    line = str(error).partition("\n")[0].partition("<")[0]
    return re.sub(r"\w+://\S+", "...", line).strip(" :")[:200]
