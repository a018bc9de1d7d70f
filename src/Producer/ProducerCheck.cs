using RedisLatency.Hosting.Members;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Targets;
using RedisLatency.Messaging.Sending;
using RedisLatency.Peers.Datagrams;
using RedisLatency.Producer.Measuring;
using RedisLatency.Redis.Lanes;

namespace RedisLatency.Producer;

/// <summary>The verb <c>check</c>: everything that a run needs, one line each; nothing is measured.</summary>
internal static class ProducerCheck
{
    private static readonly TimeSpan LongestSearch = TimeSpan.FromSeconds(2);

    /// <summary>The verb of a service with these options.</summary>
    public static ServiceCommand Create(OptionCatalogue<ProducerOptions> catalogue) =>
        new ServiceCommand<ProducerOptions>(
            "check",
            "Checks what a run needs, and measures nothing.",
            catalogue,
            (command, _) => Task.FromResult(Run(command)));

    private static int Run(CommandRun<ProducerOptions> command)
    {
        var plan = ProducerPlan.Of(command.Options);
        var targets = TargetResolution.Resolve(
            plan.Options.Target, command.Surroundings.Environment, PasswordPrompt.Ask, plan.Options.Fleet);
        var fleet = plan.FleetOf(targets, command.Surroundings.Environment);
        return ServiceCheck.Run(ProducerPlan.Role, output =>
        {
            if (targets.Count == 0)
                output.WriteLine("ok    no server given: a run would use the in-process server and consumer");
            var isGood = true;
            foreach (var target in targets)
                isGood &= ServiceCheck.Ask(output, () => Check(target, plan, output));
            return isGood & FleetCheck.Run(fleet, output);
        });
    }

    private static bool Check(ResolvedTarget target, ProducerPlan plan, StandardOutput output)
    {
        using var control = target.OpenControl();
        ServiceCheck.WriteReached(target, control, output);
        var rights = PubSubRights.Check(
            control, ChannelsOf(plan, lane => lane.PublishChannels), ChannelsOf(plan, lane => lane.SubscribeChannels));
        // Other regions answer only once they are started, too.
        return ServiceCheck.ReportRights(rights, output)
            && (plan.IsOfRegions || ConsumerIsThere(target, plan, output));
    }

    // In a region it also answers, and the other way round: what it publishes to it subscribes to.
    private static IReadOnlyList<string> ChannelsOf(
        ProducerPlan plan, Func<LaneOptions, IReadOnlyList<string>> direction)
    {
        var lanes = Enumerable.Range(0, plan.Streams).Select(plan.LaneOf).ToList();
        return plan.IsOfRegions
            ? [.. lanes.Append(ProbeChannels.ToAsk(plan.Run, "redislatency-probes"))
                .SelectMany(lane => lane.PublishChannels.Concat(lane.SubscribeChannels))]
            : [.. lanes.SelectMany(direction)];
    }

    private static bool ConsumerIsThere(ResolvedTarget target, ProducerPlan plan, StandardOutput output)
    {
        using var lane = target.OpenLane(plan.LaneOf(0));
        var search = new ConsumerSearch(plan.RunNumber, plan.Producer, 0, plan.IsCounter ? null : plan.Self);
        var timeout = TimeSpan.FromTicks(Math.Min(LongestSearch.Ticks, plan.Options.PeerTimeout.Ticks));
        var found = search.Find(lane, timeout, CancellationToken.None);
        foreach (var consumer in found)
            output.WriteLine($"ok    consumer {ConsumerAdvice.NameOf(consumer)} answers on {plan.Channel}");
        if (found.Count > 0)
            return true;
        if (!plan.RequiresConsumer && !search.IsNameTaken)
        {
            output.WriteLine($"note  {ConsumerAdvice.Own(plan, target, search)}");
            return true;
        }

        var advice = search.IsNameTaken
            ? ConsumerAdvice.NameTaken(plan)
            : ConsumerAdvice.Missing(plan, target, 0, search);
        output.WriteLine($"FAIL  {advice}");
        return false;
    }
}
