"""Who may do what: identities, roles, accounts, tokens and sessions."""
