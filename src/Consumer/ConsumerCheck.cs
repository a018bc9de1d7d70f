using RedisLatency.Consumer.Serving;
using RedisLatency.Hosting.Members;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Targets;
using RedisLatency.Peers.Probing;

namespace RedisLatency.Consumer;

/// <summary>The verb <c>check</c>: everything that serving needs, one line each; nothing is measured.</summary>
internal static class ConsumerCheck
{
    public static int Run(CommandRun<ConsumerOptions> command)
    {
        var plan = new ConsumerPlan(command.Options.Values);
        var target = TargetResolution.Resolve(
            plan.Options.Target, command.Surroundings.Environment, PasswordPrompt.Ask, plan.Options.Fleet).Single();
        var fleet = plan.FleetOf(target, command.Surroundings.Environment);
        return ServiceCheck.Run(
            "consumer",
            output => ServiceCheck.Ask(output, () => Check(target, plan, output)) & FleetCheck.Run(fleet, output));
    }

    private static bool Check(ResolvedTarget target, ConsumerPlan plan, StandardOutput output)
    {
        var found = ServerPreflight.Check(target, plan);
        ServiceCheck.WriteReached(found.Endpoint, found.Connection, found.Facts, output);
        return ServiceCheck.ReportRights(found.Rights, output) && ProbesCanBeAnswered(found, plan, output);
    }

    // Through Redis they are a service besides; a port that was asked for is needed.
    private static bool ProbesCanBeAnswered(ServerPreflight found, ConsumerPlan plan, StandardOutput output)
    {
        if (found.ProbeComplaint is { } complaint)
            output.WriteLine($"note  clock probes cannot be answered through Redis: {complaint}");
        else if (plan.Options.Probe.UsesRedis)
            output.WriteLine("ok    clock probes can be answered through Redis");
        if (plan.Options.Probe.Udp is not { } address)
            return true;
        var problem = ProbeResponder.ProblemOfUdp(address);
        output.WriteLine(problem is null ? $"ok    clock probes can be answered at {address}" : $"FAIL  {problem}");
        return problem is null;
    }
}
