"""Accounts: admins manage them, everybody their own password."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path
from starlette.responses import Response

from service.resources.access import (
    AccountEdit,
    AccountRequest,
    AccountResource,
    ListResource,
    PasswordRequest,
)
from service.web.dependencies import AdminServices, PersonServices, Services
from service.web.documents import StrictRoute
from service.web.problems import problems

router = APIRouter(prefix="/accounts", tags=["access"], route_class=StrictRoute)
Name = Annotated[str, Path(max_length=64)]


@router.get("", responses=problems())
def list_accounts(services: AdminServices) -> ListResource[AccountResource]:
    """All accounts by name."""
    return ListResource(items=services.accounts.list().items)


@router.post("", status_code=201, responses=problems(409, 413, 415, 422))
def add_account(response: Response, services: AdminServices, wanted: AccountRequest) -> AccountResource:
    """Make an account."""
    made = services.accounts.add(wanted)
    response.headers["Location"] = f"/api/v1/accounts/{made.name}"
    return made


@router.get("/{name}", responses=problems(404, 422))
def show_account(services: Services, name: Name) -> AccountResource:
    """An account: your own, or for admins any."""
    return services.accounts.get(name)


@router.patch("/{name}", responses=problems(404, 409, 413, 415, 422))
def edit_account(services: AdminServices, name: Name, edit: AccountEdit) -> AccountResource:
    """Give an account another role, or disable it."""
    return services.accounts.edit(name, edit)


@router.put("/{name}/password", status_code=204, responses=problems(404, 413, 415, 422))
def set_password(services: PersonServices, name: Name, wanted: PasswordRequest) -> None:
    """Set a password; your own needs the current one. All sessions of the account end."""
    services.accounts.set_password(name, wanted)
