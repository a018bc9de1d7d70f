using RedisLatency.Peers.Rendezvous;

namespace RedisLatency.Messaging.Sending;

/// <summary>A consumer that answered a hello.</summary>
/// <param name="Id">How it signs its echoes; 0 for one that answers plain counts.</param>
/// <param name="Content">Who it is; null for one that answers plain counts.</param>
public sealed record PresentConsumer(ulong Id, Announcement? Content);
