using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.HostClocks;
using RedisLatency.Metrics.Offsets;
using RedisLatency.Metrics.Regimes;
using RedisLatency.Peers.Clocks;
using RedisLatency.Peers.Datagrams;
using RedisLatency.Peers.Probing;
using RedisLatency.Peers.Rendezvous;
using RedisLatency.Redis;
using RedisLatency.Redis.Lanes;
using RedisLatency.Replication.Servers;
using RedisLatency.Reports.Output;

namespace RedisLatency.Replication.Rendezvous;

/// <summary>
/// Polls for the key that announces a writer, and asks that writer for its time until its clock is known.
/// </summary>
internal sealed class WriterSearch(
    DelayPlan plan, ReachedNodes end, ResolvedTarget? control, NodeFacts facts, KeyClient here, ILogger logger)
    : IDisposable
{
    private static readonly TimeSpan BetweenPolls = TimeSpan.FromMilliseconds(50);

    private readonly HashSet<ulong> _left = [];
    private PeerClock? _clock;
    private WriterAnnouncement? _announced;
    private DestinationServers? _servers;
    private RunRefusedException? _refusal;
    private string? _otherVersion;

    public ulong? After { get; init; }

    // When the first key of that session would have been due that it did not write; zero while it goes on.
    public long KnownEndNs { get; private set; }

    public WriterAnnouncement Announced => _announced ?? throw NotYet();

    public DestinationServers Servers => _servers ?? throw NotYet();

    private string Command => CommandOf(plan.IsContinuous);

    public static string CommandOf(bool isContinuous) =>
        isContinuous ? "delay write --continuous" : "delay write";

    public static string TwoWriters(string run) =>
        $"Two writers announce themselves as run {run}: give each of them, and its readers, a --run of its own.";

    public bool Find(IStopToken stop)
    {
        ReplicationLog.WaitingForWriter(logger, facts.Target.Name, plan.Run, Command);
        var begin = MonotonicClock.NowNs();
        while (!Poll())
        {
            if (MonotonicClock.NowNs() - begin > plan.Options.PeerTimeout.InNanoseconds)
                throw _clock is null && _refusal is not null ? _refusal : new RunRefusedException(WhyNot());
            if (stop.WaitUntilRequested(BetweenPolls))
                return false;
        }

        return true;
    }

    public bool Poll()
    {
        var seen = here.Request("GET", WriterAnnouncement.KeyOf(plan));
        if (seen.IsError && !new RedisServerException(seen.Text).IsTransient)
            throw new RunRefusedException($"--destination {facts.Target.Name} lets no keys be read: {seen.Text}");
        if (!seen.IsError && !seen.IsNull)
            Take(seen.Text);
        _clock?.Feed();
        // Not before it answers: what was announced may be of one that is gone.
        if (_clock is { Answers: > 0 } && _refusal is { } refusal)
            throw refusal;
        return _clock is { Answers: >= WritingSide.EnoughAnswers } && Announced.StartNs != 0;
    }

    public PeerClock TakeClock()
    {
        var taken = _clock ?? throw NotYet();
        _clock = null;
        return taken;
    }

    public void Dispose()
    {
        here.Dispose();
        _clock?.Dispose();
    }

    private static InvalidOperationException NotYet() => new("No writer was found yet.");

    private void Take(string text)
    {
        if (WriterAnnouncement.Read(text) is not { } announced)
        {
            // It may be of one that is gone; where another is followed, it has just come.
            _otherVersion = WriterAnnouncement.ReadOtherVersion(text) ?? _otherVersion;
            if (_otherVersion is not null && After is not null)
                throw new RunRefusedException(OtherVersion());
        }
        else if (announced.IsContinuous != plan.IsContinuous)
        {
            return;
        }
        else if (announced.Session == After)
            KnownEndNs = announced.EndNs;
        else if (announced.EndNs == 0)
            Hear(announced);
    }

    private void Hear(WriterAnnouncement announced)
    {
        if (announced.Session == _announced?.Session)
        {
            _announced = announced;
            return;
        }

        if (_announced is { } before)
            _left.Add(before.Session);
        if (_left.Contains(announced.Session))
            throw new RunRefusedException(TwoWriters(plan.Run));
        // What is there may be of a writer that is gone; a newer one takes its place.
        _clock?.Dispose();
        _clock = null;
        _announced = announced;
        var routes = RoutesTo(announced).ToList();
        if (routes.Count == 0)
        {
            _refusal = new RunRefusedException(
                $"The writer of {announced.Source} offers no UDP address to be asked for its time. Give --control, a "
                + "server that both reach (the writer listens at its --source, or its own --control), or give it "
                + "--probe.");
            // One that has begun already may have been killed, and another may come that can be asked. Who writes for
            // good does not announce itself for long after it is gone.
            if (announced.StartNs == 0 || plan.IsContinuous)
                throw _refusal;
            return;
        }

        ReplicationLog.WriterIsThere(logger, announced.Source);
        // It begins soon after it is asked: what takes time comes before.
        (_servers, _refusal) = ServersOf(announced);
        _clock = Ask(announced, routes, !plan.Options.NoClaims);
    }

    private (DestinationServers? Servers, RunRefusedException? Refusal) ServersOf(WriterAnnouncement announced)
    {
        try
        {
            return (new DestinationServers(end, facts, announced, plan.Options), null);
        }
        catch (RunRefusedException refusal)
        {
            return (null, refusal);
        }
    }

    private static PeerClock Ask(WriterAnnouncement announced, IReadOnlyList<ProbeRoute> routes, bool usesClaims)
    {
        var writer = announced.Writer;
        return new PeerClock(
            new OffsetTracker(new OffsetAssumptions { UsesClaims = usesClaims }),
            usesClaims && ClockIdentity.Read().ClaimsSameClock(writer.Clock!),
            PairProbes.Ask(writer.Probe!, announced.Session, announced.Session, routes),
            new HostClockWatch());
    }

    private IEnumerable<ProbeRoute> RoutesTo(WriterAnnouncement announced)
    {
        if (ProbeAddress.Parse(plan.Options.Probe ?? announced.Writer.Probe!.Udp) is { } address)
            yield return ProbeRoute.Udp(address);
        if (control is { } asked)
        {
            var lane = ProbeChannels.ToAsk(plan.Run, "redislatency-delay-probe");
            yield return ProbeRoute.Redis(
                $"redis {asked.Name}", () => RawLane.Open(asked.Endpoint, asked.Connection, lane));
        }
    }

    private string OtherVersion() =>
        $"The writer of run {plan.Run} is of {_otherVersion}, and what it announces cannot be read by this process of "
        + $"version {RunNames.SuiteVersion}: use one version on both sides.";

    private string WhyNot()
    {
        var limit = Quantity.Duration(plan.Options.PeerTimeout.InNanoseconds);
        if (_announced is null)
        {
            if (_otherVersion is not null)
                return OtherVersion();
            return $"No writer of run {plan.Run} announced itself at {facts.Target.Name} within {limit}. Start "
                + $"{Command} with --run {plan.Run} and the same --prefix. {facts.WhyNot("its source")}";
        }

        return _clock is { Answers: >= WritingSide.EnoughAnswers }
            ? $"The writer of {Announced.Source} answers, but did not begin within {limit}, or that is not replicated."
            : $"The writer of {Announced.Source} announced itself, but did not answer within {limit}"
                + (_clock?.Probes?.Problem is { } problem ? $": {problem}" : ".");
    }
}

/// <summary>Notices that a writer of heartbeats has ended, or that another goes on in its place.</summary>
internal sealed class WriterFollowing(
    string run, WriterAnnouncement first, Func<ulong, WriterSearch> searchAfter, Action<long> ended,
    Action<WriterAnnouncement, PeerClock> followed, Action<TargetLostException> failed) : IDisposable
{
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(250);

    private readonly HashSet<ulong> _followedBefore = [];
    private WriterSearch _search = searchAfter(first.Session);
    private WriterAnnouncement _current = first;
    private ReporterThread? _thread;
    private bool _hasEnded;

    public void Begin() => _thread = new ReporterThread(Interval, _ => Poll());

    public void Dispose()
    {
        _thread?.Dispose();
        _search.Dispose();
    }

    private void Poll()
    {
        try
        {
            var isAnother = _search.Poll();
            if (!_hasEnded && _search.KnownEndNs != 0)
            {
                _hasEnded = true;
                ended(_search.KnownEndNs);
            }

            if (isAnother)
                Follow(_search.Announced);
        }
        catch (RunRefusedException refusal)
        {
            failed(new TargetLostException($"Another writer goes on, and cannot be read: {refusal.Message}", refusal));
        }
        catch (RedisException)
        {
            // Who reads heartbeats there reports what is wrong; this only polls again.
        }
    }

    private void Follow(WriterAnnouncement another)
    {
        _followedBefore.Add(_current.Session);
        if (_followedBefore.Contains(another.Session))
        {
            failed(new TargetLostException(WriterSearch.TwoWriters(run)));
            return;
        }

        // All that is counted and shown is of these shards, this often.
        var isSame = another.IntervalNs == _current.IntervalNs
            && another.Shards.Select(shard => shard.Prefix).SequenceEqual(
                _current.Shards.Select(shard => shard.Prefix));
        if (!isSame)
        {
            failed(new TargetLostException(
                $"Another writer of {another.Source} goes on, with another interval or other shards: start again."));
            return;
        }

        followed(another, _search.TakeClock());
        _search.Dispose();
        (_current, _hasEnded) = (another, false);
        _search = searchAfter(another.Session);
    }
}
