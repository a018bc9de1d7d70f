using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Machine;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Workloads.Servers;

/// <summary>What all servers of a phase say of themselves and did; commands that only read go to replicas.</summary>
internal sealed class ObservedServers(IReadOnlyList<ResolvedTarget> targets, IReadOnlySet<string> reads)
{
    private readonly ObservedServer _first = new(targets[0]);
    private List<ObservedServer> _observed = [];
    private List<string> _joined = [];

    public ServerFacts? Facts => _first.Facts;

    public (int Protocol, string Transport)? Reached => _first.Reached;

    public int Count => _observed.Count;

    /// <summary>The share of one core that the busiest used; null where none tells.</summary>
    public double? CpuShare => _observed.Max(one => one.CpuShare);

    public long? KeysBefore => Sum(one => one.KeysBefore);

    public long? KeysAfter => _joined.Count == 0 ? Sum(one => one.KeysAfter) : null;

    public IEnumerable<string> Missing => _observed
        .Where(one => one.WhyNot is not null)
        .Select(one => Count > 1 ? $"{one.Target.Endpoint.Address}: {one.WhyNot}" : $"{one.WhyNot}")
        .Concat(_joined.Select(address => $"{address}: it was not known before the phase"));

    /// <summary>What a replica counted of writes was replicated to it, and is left out.</summary>
    public IReadOnlyList<ServerCommandUse> Commands
    {
        get
        {
            var all = new CommandStatistics();
            foreach (var one in _observed)
            {
                if (one.Commands is { } counted)
                    all.Add(counted, command => !one.IsReplica || Count == 1 || reads.Contains(command));
            }

            return all.Uses();
        }
    }

    // With a server alone that is a replica, its keys are those that are meant.
    private IEnumerable<ObservedServer> KeyHolders => _observed.Where(one => !one.IsReplica || Count == 1);

    /// <summary>How long the quickest of them took to answer before the phase, in nanoseconds; zero where one did
    /// not.</summary>
    public long RoundTripBeforeNs => _observed.Select(one => one.RoundTripBeforeNs).DefaultIfEmpty().Min();

    /// <summary>Those that are on this machine.</summary>
    public IEnumerable<ProcessorWaits?> LocalProcesses() =>
        _observed.Select(one => LocalServer.WaitsOf(one.Target.Name, one.Facts));

    /// <summary>Also where operations are sent, if that is not where the user said: a cluster's nodes.</summary>
    public void ReadBefore(IReadOnlyList<RedisEndpoint> found)
    {
        _observed = found.Count > 0
            ? [.. found.Select(endpoint => endpoint.Address == targets[0].Endpoint.Address
                ? _first
                : new ObservedServer(targets[0] with { Endpoint = endpoint }))]
            : [_first, .. targets.Skip(1).Select(target => new ObservedServer(target))];
        // It says what is measured, even where it is none of them.
        if (!_observed.Contains(_first))
            _first.ReadBefore();
        _observed.ForEach(one => one.ReadBefore());
    }

    public void ReadAfter(IReadOnlyList<RedisEndpoint> found)
    {
        _observed.ForEach(one => one.ReadAfter());
        var observed = _observed.Select(one => one.Target.Endpoint.Address);
        _joined = [.. found.Select(endpoint => endpoint.Address).Except(observed)];
    }

    public static bool IsOfCluster(ResolvedTarget target)
    {
        using var control = target.OpenControl();
        var facts = ServerFacts.Read(control);
        return facts.Mode == "cluster" || facts.Fields.GetValueOrDefault("cluster_enabled") == "1";
    }

    private long? Sum(Func<ObservedServer, long?> keys) =>
        KeyHolders.Aggregate((long?)0, (sum, one) => sum + keys(one));
}

/// <summary>
/// A server asked on its own connection before and after a phase; one that fails is measured all the same.
/// </summary>
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

    public long RoundTripBeforeNs => _factsBefore?.RoundTrip.InNanoseconds ?? 0;

    /// <summary>Whether it was a replica at both looks: what it counted of writes was replicated to it.</summary>
    public bool IsReplica => Facts?.Role == "slave" && _factsBefore?.Role == "slave";

    public void ReadBefore() => Read(control =>
    {
        KeysBefore = KeysOf(control);
        _factsBefore = Facts;
        _commandsBefore = CommandStatistics.Read(control);
    });

    public void ReadAfter() => Read(control =>
    {
        // Behind Sentinels another server may be the primary by now, and one that was restarted counts from zero.
        if (_factsBefore is null)
        {
            WhyNot ??= "it could not be asked before the phase";
        }
        else if (Facts?.RunId != _factsBefore.RunId)
        {
            CpuShare = null;
            WhyNot ??= "another server, or the same one restarted, answers after the phase than before";
        }
        else if (_commandsBefore is { } before)
        {
            var after = CommandStatistics.Read(control);
            if (after.IsResetSince(before))
                WhyNot ??= "its counters were reset meanwhile (CONFIG RESETSTAT)";
            else
                Commands = after.Since(before);
        }

        KeysAfter = KeysOf(control);
    });

    private void Read(Action<RedisConnection> ask)
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
