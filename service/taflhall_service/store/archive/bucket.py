"""An archive in a bucket of objects: Amazon S3 and compatible services, Google Cloud, or Azure.

Location and credentials come from the environment, under the names that each service uses:
``AWS_REGION``, ``AWS_ENDPOINT``, ``AWS_ACCESS_KEY_ID``, ``GOOGLE_SERVICE_ACCOUNT``,
``AZURE_STORAGE_ACCOUNT_NAME`` and so on. These services promise that an object appears whole or
not at all, and is durable once its put is answered.
"""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Final

from obstore import get_async, put_async
from obstore.exceptions import BaseError, PermissionDeniedError, UnauthenticatedError
from obstore.store import from_url

RETRIES: Final = 3
"""How often a call is repeated that got no answer, or a 5xx."""

PATIENCE: Final = timedelta(seconds=20)
"""Time after which no call is repeated; a single one may take half a minute."""

NO_BUCKET: Final = ("NoSuchBucket", "ContainerNotFound", "bucket does not exist")
"""How the services report that the bucket is missing, not the object."""


class BucketFails(OSError):
    """A call to the bucket failed; the message leaves out its address, which may hold a key."""


class BucketDenied(BucketFails):
    """The bucket does not accept the credentials, or does not allow the call."""


class BucketMissing(BucketFails):
    """The bucket does not exist."""


class ObjectArchive:
    """Stores records as objects below *url*, like ``s3://BUCKET/PATH``.

    A call without an answer is repeated *retries* times. Raise :exc:`ValueError` if the url or
    the environment lacks something; the message says what.
    """

    def __init__(self, url: str, retries: int = RETRIES) -> None:
        try:
            self._bucket = from_url(
                url, retry_config={"max_retries": retries, "retry_timeout": PATIENCE}
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
    """Return the first line of an error, without addresses and the text of the service."""
    line = str(error).partition("\n")[0].partition("<")[0]
    return re.sub(r"\w+://\S+", "...", line).strip(" :")[:200]
