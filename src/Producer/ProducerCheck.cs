using RedisLatency.Hosting.Members;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Targets;
using RedisLatency.Messaging.Sending;
using RedisLatency.Producer.Measuring;
using RedisLatency.Redis.Lanes;

namespace RedisLatency.Producer;

/// <summary>The verb <c>check</c>: everything that a run needs, one line each; nothing is measured.</summary>
internal static class ProducerCheck
{
    private static readonly TimeSpan LongestSearch = TimeSpan.FromSeconds(2);

    public static int Run(CommandRun<ProducerOptions> command)
    {
        var plan = ProducerPlan.Of(command.Options);
        var targets = TargetResolution.Resolve(
            plan.Options.Target, command.Surroundings.Environment, PasswordPrompt.Ask);
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
        var lanes = Enumerable.Range(0, plan.Streams).Select(plan.LaneOf).ToList();
        var rights = PubSubRights.Check(
            control,
            [.. lanes.SelectMany(lane => lane.PublishChannels)],
            [.. lanes.SelectMany(lane => lane.SubscribeChannels)]);
        return ServiceCheck.ReportRights(rights, output) && ConsumerIsThere(target, plan, output);
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
