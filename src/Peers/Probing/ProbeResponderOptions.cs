using RedisLatency.Metrics.HostClocks;
using RedisLatency.Peers.Datagrams;

namespace RedisLatency.Peers.Probing;

/// <summary>Whom a responder answers, and how much.</summary>
public sealed class ProbeResponderOptions
{
    /// <summary>The run's number.</summary>
    public required ulong Run { get; init; }

    /// <summary>How this process signs: a question to another one is left to that one.</summary>
    public required ulong Answerer { get; init; }

    /// <summary>The run's key: only who has it is answered.</summary>
    public required ProbeKey Key { get; init; }

    /// <summary>What is said of this host's clock with every answer; called on the responder's thread.</summary>
    public required Func<ClockStatus> Status { get; init; }

    /// <summary>Answers per second, to all askers together.</summary>
    /// <value>The default is 2,000.</value>
    public double Rate { get; init; } = 2_000;

    /// <summary>Answers per second to one asker.</summary>
    /// <value>The default is 1,000.</value>
    public double RatePerAsker { get; init; } = 1_000;

    /// <summary>
    /// How many askers are known at a time; one more must wait until another was silent for ten seconds.
    /// </summary>
    /// <value>The default is 256.</value>
    public int MostAskers { get; init; } = 256;
}
