using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;

namespace RedisLatency.Redis.Connections;

/// <summary>
/// Comes back to a server after each loss: the one loop around opening connections. It tries at once, then after the
/// pauses of a <see cref="JitteredBackoff"/>, until an attempt succeeds, a failure will not pass, or its limit is over.
/// A connection that opened and was lost before it served belongs to the same outage: pauses and limit go on. Used by
/// one thread at a time.
/// </summary>
public sealed class Reconnection
{
    private readonly JitteredBackoff _pauses;
    private readonly TimeSpan _limit;
    private long? _lostAt;
    // Of the last connection, as long as it has not served.
    private long? _openedAt;

    /// <param name="limit">How long after the loss a failure may still pass; for ever where none is given.</param>
    public Reconnection(TimeSpan? limit = null)
        : this(new JitteredBackoff(), limit)
    {
    }

    internal Reconnection(JitteredBackoff pauses, TimeSpan? limit = null) =>
        (_pauses, _limit) = (pauses, limit ?? TimeSpan.MaxValue);

    /// <summary>How long a connection lasts that has served although nobody said so.</summary>
    /// <value>The default is one second.</value>
    public TimeSpan Lasting { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>Whether the last connection that opened has not served.</summary>
    public bool IsUnproven => _openedAt is not null;

    /// <summary>Whether the limit is over.</summary>
    public bool IsOverdue => _lostAt is { } lost && Stopwatch.GetElapsedTime(lost) >= _limit;

    /// <summary>The connection has served: whatever comes is another outage.</summary>
    public void NoteServed()
    {
        (_lostAt, _openedAt) = (null, null);
        _pauses.Reset();
    }

    /// <summary>
    /// The server refuses, so it is there: the limit counts anew. One that refuses and closes is no more than one that
    /// closes, so the pauses go on.
    /// </summary>
    public void NoteRefused() => _lostAt = null;

    /// <summary>Another server has taken its place, of which nothing is known: it is tried at once.</summary>
    public void LeaveServer()
    {
        _openedAt = null;
        _pauses.Reset();
    }

    /// <summary>Tries until it succeeds, at least once; blocks meanwhile.</summary>
    /// <param name="attempt">What is tried.</param>
    /// <param name="stop">Ends a pause, and with it the attempts.</param>
    /// <param name="result">What the attempt that succeeded returned.</param>
    /// <param name="mayPass">
    /// Whether to try again after a failure; <see cref="RedisException.MayPassAtReconnect"/> where none is given. It is
    /// thrown otherwise.
    /// </param>
    /// <returns>Whether one succeeded before it was stopped.</returns>
    public bool TryReach<T>(
        Func<T> attempt, CancellationToken stop, [MaybeNullWhen(false)] out T result,
        Func<RedisException, bool>? mayPass = null)
    {
        result = default;
        if (_openedAt is { } opened && Stopwatch.GetElapsedTime(opened) >= Lasting)
            NoteServed();
        _lostAt ??= Stopwatch.GetTimestamp();
        // From its opening on: of a thousand that were lost at once each has waited while the others were opened.
        if (_openedAt is { } last && IsStoppedWithin(_pauses.Next() - Stopwatch.GetElapsedTime(last)))
            return false;
        do
        {
            try
            {
                result = attempt();
                _openedAt = Stopwatch.GetTimestamp();
                return true;
            }
            catch (RedisException problem)
            {
                if (!(mayPass?.Invoke(problem) ?? problem.MayPassAtReconnect) || IsOverdue)
                    throw;
            }
        }
        while (!IsStoppedWithin(_pauses.Next()));

        return false;

        bool IsStoppedWithin(TimeSpan pause) =>
            stop.WaitHandle.WaitOne(pause > TimeSpan.Zero ? pause : TimeSpan.Zero);
    }
}
