"""What the benchmarks of the service share: a client, a server to send to, pictures and the answers they must get."""
