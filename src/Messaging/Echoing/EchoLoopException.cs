namespace RedisLatency.Messaging.Echoing;

/// <summary>What this consumer sends back comes to it again: another one echoes it, with the channels crossed.</summary>
public sealed class EchoLoopException() : Exception("echoes come back to the consumer that sent them");
