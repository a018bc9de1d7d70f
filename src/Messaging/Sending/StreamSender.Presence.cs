using RedisLatency.Messaging.Presence;
using RedisLatency.Redis;

namespace RedisLatency.Messaging.Sending;

/// <content>What comes before the first phase.</content>
public sealed partial class StreamSender
{
    /// <summary>Finds out who answers on this stream.</summary>
    /// <param name="self">Who asks.</param>
    /// <param name="timeout">How long to ask.</param>
    /// <param name="isNameTaken">Whether another producer of this run and instance is at work.</param>
    /// <param name="stop">Ends the search early.</param>
    /// <exception cref="RedisException">The server refuses, or is lost.</exception>
    public IReadOnlyList<PresentConsumer> FindConsumers(
        HelloContent self, TimeSpan timeout, out bool isNameTaken, CancellationToken stop)
    {
        var lane = _connection.Lane ?? throw new InvalidOperationException("The stream is not connected.");
        var content = _options.IsCounter ? null : self;
        var search = new ConsumerSearch(_options.Run, _options.Producer, _options.Stream, content);
        var found = search.Find(lane, timeout, stop);
        isNameTaken = search.IsNameTaken;
        return found;
    }
}
