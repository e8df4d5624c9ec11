"""The exceptions that end a run.

    CrossfactError            the run cannot go on; the message says what, where, and what to do
    ├── UsageError            wrong use of the command line                       exit 2
    ├── ConfigurationError    unreadable or unknown configuration                 exit 2
    ├── NothingToCompare      no specs, or nothing at all, where one was needed   exit 2
    ├── NoEmbedder            texts cannot be embedded; searching does without     exit 2
    └── StoreError            the fact store cannot be read or written            exit 2
        ├── DamagedStore      its file is no database any more; it can be made anew
        └── FullDisk          there is no room for it

What is wrong in the user's project is no exception but a value: a `Finding`, `Skipped`, `Unknown`, `Defect`.
"""


class CrossfactError(Exception):
    """The run cannot go on. `remedy` is one sentence that says what to do."""

    exit_code = 2

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.remedy = remedy


class UsageError(CrossfactError):
    """The command was used wrongly."""


class ConfigurationError(CrossfactError):
    """The configuration cannot be used as it is."""


class NothingToCompare(CrossfactError):
    """There is nothing to read, or no specs where some are needed."""


class NoEmbedder(CrossfactError):
    """Texts cannot be embedded: a package is missing, or a file of the model is not the one that was tried."""


class StoreError(CrossfactError):
    """The fact store cannot be opened, read or written."""


class FullDisk(StoreError):
    """There is no room left for the fact store."""


class DamagedStore(StoreError):
    """The fact store's file, `place`, is damaged; all that it held can be read again from the project."""

    def __init__(self, place: str, message: str, remedy: str = "") -> None:
        super().__init__(message, remedy)
        self.place = place
