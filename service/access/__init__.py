"""Access: identities, roles, accounts, tokens and sessions."""
