namespace RedisLatency.Containers.Servers;

/// <summary>A server cannot be had from an image; the message is one line that says what to do.</summary>
internal sealed class ServerUnavailableException(string message, Exception cause) : Exception(message, cause);
