using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Messaging.Presence;
using RedisLatency.Producer.Measuring;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Lanes;

namespace RedisLatency.Producer;

/// <summary>The verb <c>check</c>: everything that a run needs, one line each; nothing is measured.</summary>
internal static class ProducerCheck
{
    private static readonly TimeSpan LongestSearch = TimeSpan.FromSeconds(2);

    public static int Run(CommandRun<ProducerOptions> command)
    {
        var plan = new ProducerPlan(command.Options.Values, command.Options.IsGiven("--rate"));
        var targets = TargetResolution.Resolve(
            plan.Options.Target, command.Surroundings.Environment, PasswordPrompt.Ask);
        var output = new StandardOutput();
        if (targets.Count == 0)
            output.WriteLine("ok    no server given: a run would use the in-process server and consumer");
        var isGood = true;
        foreach (var target in targets)
            isGood &= Check(target, plan, output);
        var exitCode = isGood ? ExitCode.Valid : ExitCode.Refused;
        output.WriteLine($"RESULT role=producer check={(isGood ? "ok" : "failed")} exit={exitCode}");
        return output.End(exitCode);
    }

    private static bool Check(ResolvedTarget target, ProducerPlan plan, StandardOutput output)
    {
        try
        {
            using var control = target.OpenControl();
            ReachedServer.Tell(target, control, output);
            return RightsSuffice(control, plan, output) && ConsumerIsThere(target, plan, output);
        }
        catch (RedisException failure)
        {
            output.WriteLine($"FAIL  {failure.Message}");
            return false;
        }
    }

    private static bool RightsSuffice(RedisConnection control, ProducerPlan plan, StandardOutput output)
    {
        var lanes = Enumerable.Range(0, plan.Streams).Select(plan.LaneOf).ToList();
        var rights = PubSubRights.Check(
            control,
            [.. lanes.SelectMany(lane => lane.PublishChannels)],
            [.. lanes.SelectMany(lane => lane.SubscribeChannels)]);
        foreach (var unknown in rights.Unknown)
            output.WriteLine($"note  not known: {unknown}");
        foreach (var missing in rights.Missing)
            output.WriteLine($"FAIL  user {rights.User} lacks {missing}");
        if (rights.AclLine is { } line && !rights.IsSufficient)
            output.WriteLine($"      give it to them: {line}");
        if (rights.IsSufficient)
            output.WriteLine($"ok    user {rights.User} may publish and subscribe");
        return rights.IsSufficient;
    }

    private static bool ConsumerIsThere(ResolvedTarget target, ProducerPlan plan, StandardOutput output)
    {
        using var lane = target.OpenLane(plan.LaneOf(0));
        var search = new ConsumerSearch(plan.RunNumber, plan.Producer, 0, plan.IsCounter ? null : plan.Self);
        var timeout = TimeSpan.FromTicks(Math.Min(LongestSearch.Ticks, plan.Options.RendezvousTimeout.Ticks));
        var found = search.Find(lane, timeout, CancellationToken.None);
        foreach (var consumer in found)
            output.WriteLine($"ok    consumer {ConsumerAdvice.NameOf(consumer)} answers on {plan.Channel}");
        if (found.Count == 0)
        {
            var advice = search.IsNameTaken ? ConsumerAdvice.NameTaken(plan) : ConsumerAdvice.Missing(plan, target, 0);
            output.WriteLine($"FAIL  {advice}");
        }

        return found.Count > 0;
    }
}
