"""Tokens: with what programs use a server."""

from __future__ import annotations

from collections.abc import Callable

from errors import ForbiddenError, InputError, StateError, UnknownNameError
from service.access.authenticator import Authenticator
from service.access.tokens import no_token
from service.app.accounts import known_account
from service.app.context import Context
from service.resources.access import NewTokenResource, TokenRequest, TokenResource
from service.resources.models import Page
from service.resources.parameters import Everybody, ShortName

_DAY = 24 * 3600.0


class TokenService:
    """Tokens with which programs use a server. A token manages tokens only if its scope is ``admin``.

    Parameters
    ----------
    context : Context
        See there.
    authenticator : callable () -> Authenticator
        Makes tokens; called when one is made, because only then the server's key is needed.
    has_accounts : callable () -> bool
        Whether people log in by accounts, so that a token has to be somebody's.
    """

    def __init__(
        self,
        context: Context,
        authenticator: Callable[[], Authenticator],
        has_accounts: Callable[[], bool],
    ) -> None:
        self._context = context
        self._store = context.store
        self._authenticator = authenticator
        self._has_accounts = has_accounts

    def list(self, account: ShortName | None = None, *, everybody: Everybody = False) -> Page[TokenResource]:
        """Your tokens, newest first; for admins also those of another account, or all."""
        self._context.identity.require_person()
        owner = self._context.identity.account if account is None else account
        if everybody and account is not None:
            raise InputError(
                "gives one account, although the tokens of everybody are requested; leave one of the two out",
                ("account",),
            )
        if not self._context.identity.administers and (everybody or owner != self._context.identity.account):
            raise ForbiddenError("only an admin may see the tokens of another account")
        if owner != self._context.identity.account:
            known_account(self._context, owner)
        found = self._store.tokens.of(None if everybody else owner)
        return Page(items=[TokenResource.model_validate(record) for record in found])

    def create(self, request: TokenRequest) -> NewTokenResource:
        """Make a token, which is shown in this answer and never again. Only admins make tokens for others.

        A token that is made with a token ends with that token at the latest. There is none for an
        account that is disabled.
        """
        self._context.identity.require_person()
        bearer = self._bearer(request.account)
        seconds = self._seconds(request.days)
        text, record = self._authenticator().issue("token", bearer, request.name, request.scope, seconds)
        return NewTokenResource(**dict(TokenResource.model_validate(record)), token=text)

    def revoke(self, token_id: ShortName) -> None:
        """Revoke a token: it is refused from now on."""
        self._context.identity.require_person()
        owner = None if self._context.identity.administers else self._context.identity.account
        try:
            self._store.tokens.revoke(token_id, owner)
        except UnknownNameError:
            raise no_token(token_id) from None

    def _bearer(self, account: str | None) -> str:
        """The account that a new token is for; raises where the caller may make none for it."""
        own = self._context.identity.account
        if account is None or account == own:
            if self._has_accounts() and not own:
                raise InputError(
                    "is missing: this store has accounts, and a token belongs to one",
                    ("account",),
                )
            return own
        if not self._context.identity.administers:
            raise ForbiddenError("only an admin may make a token for another account")
        if known_account(self._context, account).disabled:
            raise StateError(f"'{account}' is disabled, so no token is made for it; enable the account first")
        return account

    def _seconds(self, days: int | None) -> float | None:
        """Life of a new token in s: as wanted, but not longer than the one by which it is requested."""
        lives = [] if days is None else [days * _DAY]
        if self._context.identity.until is not None:
            lives.append(max(0.0, self._context.identity.until - self._store.tokens.now()))
        return min(lives, default=None)
