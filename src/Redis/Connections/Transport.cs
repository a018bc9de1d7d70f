namespace RedisLatency.Redis.Connections;

/// <summary>
/// The bytes of one connection, sent and received on the caller's own thread. One thread at a time may use it.
/// </summary>
public abstract class Transport : IDisposable
{
    /// <summary>
    /// The longest single wait in the kernel. A wait that ends later is taken in slices of it, so that whoever waits
    /// sees a request to stop, at no more than ten needless wake-ups a second.
    /// </summary>
    public static readonly TimeSpan Slice = TimeSpan.FromMilliseconds(100);

    /// <summary>
    /// A time that has passed: look once. Not the smallest number, which differences would wrap around.
    /// </summary>
    public const long NoWait = 0;

    /// <summary>How bytes travel, for people: <c>tcp, blocking recv</c>.</summary>
    public abstract string Description { get; }

    /// <summary>
    /// What to do while the other side takes nothing more: read what it wants to get rid of first. Without it, a
    /// sender and a server that both wait for the other to read would wait for ever.
    /// </summary>
    internal Action? WhileSendBlocks { get; set; }

    /// <summary>How long a send may make no progress.</summary>
    internal TimeSpan SendTimeout { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>Sends all bytes; returns when the kernel has them.</summary>
    /// <exception cref="RedisConnectionLostException">The connection is gone.</exception>
    /// <exception cref="RedisTimeoutException">The other side took nothing for the time limit.</exception>
    public abstract void Send(ReadOnlySpan<byte> bytes);

    /// <summary>Receives what is there, or waits for something.</summary>
    /// <param name="buffer">Where to; not empty.</param>
    /// <param name="untilTimestamp">
    /// Until when to wait, as <see cref="System.Diagnostics.Stopwatch.GetTimestamp"/> reads; a time that has passed
    /// looks once without waiting. It may return early, after a <see cref="Slice"/>, never much later.
    /// </param>
    /// <returns>How many bytes came; zero when none did.</returns>
    /// <exception cref="RedisConnectionLostException">The connection is gone.</exception>
    public abstract int Receive(Span<byte> buffer, long untilTimestamp);

    /// <summary>Hands the connection over to who goes on without this transport.</summary>
    internal virtual TakenConnection Take() =>
        throw new InvalidOperationException($"{Description} is no connection that could be handed over.");

    /// <summary>Closes the connection.</summary>
    public abstract void Dispose();
}
