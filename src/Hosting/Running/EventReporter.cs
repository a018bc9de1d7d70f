using Microsoft.Extensions.Logging;

namespace RedisLatency.Hosting.Running;

/// <summary>Reports each event once; a literal repetition within a minute is only counted.</summary>
public class EventReporter(SessionEvents events, ILogger logger)
{
    private readonly EventRepetition _repetition = new();
    private long _reported;

    protected ILogger Logger => logger;

    public void Report()
    {
        var unreported = events.TakeSince(ref _reported);
        for (var i = 0; i < unreported.Count; i++)
        {
            Count(unreported[i].Kind);
            if (!_repetition.Is(unreported[i]))
                Report(unreported[i]);
        }
    }

    protected virtual void Count(string kind)
    {
    }

    protected virtual void Report(SessionEvent happened) => RunLog.EventHappened(logger, happened.Text);
}

/// <summary>Which events were reported word for word within a minute, as lasting evictions are. One thread.</summary>
internal sealed class EventRepetition
{
    private const long SilenceNs = 60_000_000_000;

    private readonly Dictionary<string, long> _reportedAtNs = [];

    public bool Is(in SessionEvent happened)
    {
        foreach (var (text, atNs) in _reportedAtNs)
        {
            if (happened.AtNs - atNs > SilenceNs)
                _reportedAtNs.Remove(text);
        }

        return !_reportedAtNs.TryAdd(happened.Text, happened.AtNs);
    }
}
