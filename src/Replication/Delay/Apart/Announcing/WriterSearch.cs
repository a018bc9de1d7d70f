using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Peers.Asking;
using RedisLatency.Hosting.Peers.Lanes;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Running.Signals;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Lanes;
using RedisLatency.Replication.Delay.Apart.Clocks;
using RedisLatency.Replication.Delay.Apart.ReadingSide;
using RedisLatency.Replication.Delay.Apart.WritingSide;
using RedisLatency.Replication.Delay.Ends;
using RedisLatency.Replication.Delay.Shards;

namespace RedisLatency.Replication.Delay.Apart.Announcing;

/// <summary>Finds the writer of a run by what is replicated to here, and begins to ask for its time.</summary>
internal sealed class WriterSearch(
    DelayPlan plan, LoneEnd end, ResolvedTarget? control, EndFacts facts, ILogger logger) : IDisposable
{
    private static readonly TimeSpan BetweenLooks = TimeSpan.FromMilliseconds(50);

    private WriterClock? _clock;
    private Announcement? _announced;
    private ReadingPlaces? _places;
    private RunRefusedException? _refusal;

    private DelayOptions Options => plan.Options;

    /// <summary>What the writer announced; once it is found.</summary>
    public Announcement Announced => _announced!;

    /// <summary>Its clock.</summary>
    public WriterClock Clock => _clock!;

    /// <summary>Where its keys are read.</summary>
    public ReadingPlaces Places => _places!;

    /// <summary>Looks until the writer has begun.</summary>
    /// <returns>False where a request to stop came first.</returns>
    /// <exception cref="RunRefusedException">It did not come, cannot be asked, or does not begin.</exception>
    public bool Find(IStopToken stop)
    {
        var key = Announcement.KeyOf(Options.Prefix, plan.Run);
        ReplicationLog.WaitingForWriter(logger, facts.Target.Name, plan.Run);
        using var here = new KeyQuestions(end.PlaceOf(key), Options.ReconnectTimeout, stop);
        var begin = MonotonicClock.NowNs();
        while (true)
        {
            var seen = here.Request("GET", key);
            if (seen.IsError && !new RedisServerException(seen.Text).IsTransient)
                throw new RunRefusedException($"--destination {facts.Target.Name} lets no keys be read: {seen.Text}");
            if (!seen.IsError && !seen.IsNull && Announcement.Read(seen.Text) is { } announced)
                Hear(announced);
            _clock?.Feed();
            // Not before it answers: what was announced may be of one that is gone.
            if (_clock is { Answers: > 0 } && _refusal is { } refusal)
                throw refusal;
            if (_clock is { Answers: >= WriteRun.EnoughAnswers } && Announced.StartNs != 0)
                return true;
            if (MonotonicClock.NowNs() - begin > Options.PeerTimeout.Ticks * TimeSpan.NanosecondsPerTick)
                throw new RunRefusedException(WhyNot());
            if (stop.WaitUntilRequested(BetweenLooks))
                return false;
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _clock?.Dispose();

    private void Hear(Announcement announced)
    {
        if (announced.Session == _announced?.Session)
        {
            _announced = announced;
            return;
        }

        // What is there may be of a writer that is gone; a newer one takes its place.
        _clock?.Dispose();
        _clock = null;
        _announced = announced;
        var routes = RoutesTo(announced).ToList();
        if (routes.Count == 0)
        {
            throw new RunRefusedException(
                $"The writer of {announced.Source} offers no UDP address to be asked for its time. Give --control, a server "
                + "that both reach (the writer listens at its --source, or its own --control), or give it --probe.");
        }

        ReplicationLog.WriterIsThere(logger, announced.Source);
        // It begins soon after it is asked: what takes time comes before.
        (_places, _refusal) = PlacesOf(announced);
        _clock = new WriterClock(announced, routes, !Options.NoClaims);
    }

    private (ReadingPlaces? Places, RunRefusedException? Refusal) PlacesOf(Announcement announced)
    {
        try
        {
            return (new ReadingPlaces(end, facts, announced, Options), null);
        }
        catch (RunRefusedException refusal)
        {
            return (null, refusal);
        }
    }

    private IEnumerable<ProbeRoute> RoutesTo(Announcement announced)
    {
        if (ProbeAddress.Parse(Options.Probe ?? announced.Udp) is { } address)
            yield return ProbeRoute.Udp(address);
        if (control is not null)
        {
            yield return ProbeRoute.Redis($"redis {control.Name}", () => RawLane.Open(
                control.Endpoint,
                control.Connection,
                new LaneOptions
                {
                    PublishChannels = [ProbeChannels.Questions(plan.Run)],
                    SubscribeChannels = [ProbeChannels.Answers(plan.Run)],
                    MaxPayload = ProbeChannels.LongestMessage,
                    ClientName = "redislatency-delay-probe",
                }));
        }
    }

    private string WhyNot()
    {
        var limit = Quantity.Duration(Options.PeerTimeout.Ticks * TimeSpan.NanosecondsPerTick);
        if (_announced is null)
        {
            return $"No writer of run {plan.Run} announced itself at {facts.Target.Name} within {limit}. Start delay write "
                + $"with --run {plan.Run} and the same --prefix. {facts.WhyNot("its source")}";
        }

        return _clock is { Answers: >= WriteRun.EnoughAnswers }
            ? $"The writer of {Announced.Source} answers, but did not begin within {limit}, or that is not replicated."
            : $"The writer of {Announced.Source} announced itself, but did not answer within {limit}"
                + (_clock?.Problem is { } problem ? $": {problem}" : ".");
    }
}
