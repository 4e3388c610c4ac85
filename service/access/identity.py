"""The caller's identity, and what a role may do.

A viewer reads what is shared and what is their own; an editor also makes studies and works on their
own; an admin does everything to everything. A token narrows its account's role by its scope.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from errors import ForbiddenError
from studies.process_identity import user_name
from studies.records import Role, Scope

ROLES: tuple[Role, ...] = ("viewer", "editor", "admin")
_RANK = {"viewer": 0, "read": 0, "editor": 1, "run": 1, "admin": 2}


@dataclass(frozen=True, slots=True)
class Identity:
    """Somebody who was recognised. ``account`` is empty for the one person of a laptop without accounts."""

    account: str
    role: Role
    scope: Scope = "admin"
    until: float | None = field(default=None, compare=False)
    """End of the token that identified the caller, UTC seconds; None for a person who logged in."""

    @property
    def author(self) -> str:
        """The name beside what they write: of the account, else of the operating system's user."""
        return self.account or user_name()

    @property
    def writes(self) -> bool:
        """True if studies may be made and worked on."""
        return self._rank >= 1

    def require_writes(self) -> None:
        """Raise ``ForbiddenError`` for those who only read."""
        if not self.writes:
            raise ForbiddenError(
                "you may only read; to change or compute something, you need an editor's account or a token "
                "with the scope 'run'"
            )

    @property
    def administers(self) -> bool:
        """True if everything may be done to everything."""
        return self._rank >= 2

    def require_admin(self) -> None:
        """Raise ``ForbiddenError`` for those who do not ask as an admin."""
        if not self.administers:
            raise ForbiddenError("only an admin may do this, logged in or with a token of the scope 'admin'")

    def require_person(self) -> None:
        """Raise ``ForbiddenError`` for a token that may not do all that its account may."""
        if self.scope != "admin":
            raise ForbiddenError(
                "a token of this scope cannot manage tokens or passwords; log in, or use a token of the "
                "scope 'admin'"
            )

    @property
    def _rank(self) -> int:
        return min(_RANK[self.role], _RANK[self.scope])


HERE = Identity("", "admin")
"""The person at this machine: whoever opens the store itself may do everything."""
