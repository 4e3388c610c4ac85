"""The ways in from outside: command line, REST interface, runner."""
