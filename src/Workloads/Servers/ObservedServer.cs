using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;

namespace RedisLatency.Workloads.Servers;

/// <summary>Asked on its own connection before and after a phase; failing is no reason not to measure.</summary>
internal sealed class ObservedServer(ResolvedTarget target)
{
    private (long At, double Cpu)? _cpuBefore;
    private CommandStatistics? _commandsBefore;
    private ServerFacts? _factsBefore;

    public ResolvedTarget Target => target;

    /// <summary>What it said last; null before, and where it could not be asked.</summary>
    public ServerFacts? Facts { get; private set; }

    public string? WhyNot { get; private set; }

    public double? CpuShare { get; private set; }

    public long? KeysBefore { get; private set; }

    public long? KeysAfter { get; private set; }

    public CommandStatistics? Commands { get; private set; }

    public (int Protocol, string Transport)? Reached { get; private set; }

    /// <summary>Whether it was a replica at both looks: what it counted of writes was replicated to it.</summary>
    public bool IsReplica => Facts?.Role == "slave" && _factsBefore?.Role == "slave";

    public void LookBefore() => Look(control =>
    {
        KeysBefore = KeysOf(control);
        _factsBefore = Facts;
        _commandsBefore = CommandStatistics.Read(control);
    });

    public void LookAfter() => Look(control =>
    {
        // Behind Sentinels another server may be the primary by now, and one that was restarted counts from zero.
        if (Facts?.RunId != _factsBefore?.RunId)
        {
            CpuShare = null;
            WhyNot ??= "another server, or the same one restarted, answers after the phase than before";
        }
        else if (_commandsBefore is { } before)
        {
            Commands = CommandStatistics.Read(control).Since(before);
        }

        KeysAfter = KeysOf(control);
    });

    private void Look(Action<RedisConnection> ask)
    {
        CpuShare = null;
        try
        {
            using var control = target.OpenControl();
            Reached = (control.Protocol, control.TransportDescription);
            Facts = ServerFacts.Read(control);
            WhyNot = Facts.UnavailableBecause;
            TakeCpu(Facts.CpuSeconds);
            ask(control);
        }
        catch (RedisException failure)
        {
            WhyNot = failure.Message;
            _cpuBefore = null;
        }
    }

    private void TakeCpu(double? used)
    {
        var now = MonotonicClock.NowNs();
        if (_cpuBefore is { } before && used is { } cpu)
            CpuShare = (cpu - before.Cpu) * 1e9 / (now - before.At);
        _cpuBefore = used is { } seconds ? (now, seconds) : null;
    }

    private static long? KeysOf(RedisConnection control)
    {
        var reply = control.Request("DBSIZE");
        if (reply.IsError)
            return null;
        // What notes the records is none of them. A node of a cluster that has not got it says so by an error.
        var marker = control.Request("EXISTS", LoadMarker.Key);
        return reply.Number - (marker.IsError ? 0 : marker.Number);
    }
}
