namespace RedisLatency.Redis.Connections;

/// <summary>
/// SslStream wanted more bytes than were there: it had read a record of its own business, such as a session ticket.
/// SslStream lets an <see cref="IOException"/> through as it is, and can be read again after it.
/// </summary>
internal sealed class NothingToReadException() : IOException("No bytes within the time limit.");
