using RedisLatency.Consumer.Serving;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Peers.Answering;
using RedisLatency.Redis;

namespace RedisLatency.Consumer;

/// <summary>The verb <c>check</c>: everything that serving needs, one line each; nothing is measured.</summary>
internal static class ConsumerCheck
{
    public static int Run(CommandRun<ConsumerOptions> command)
    {
        var plan = new ConsumerPlan(command.Options.Values);
        var target = TargetResolution.Resolve(
            plan.Options.Target, command.Surroundings.Environment, PasswordPrompt.Ask).Single();
        using var output = new StandardOutput();
        var isGood = Check(target, plan, output);
        var exitCode = isGood ? ExitCode.Valid : ExitCode.Refused;
        output.WriteLine($"RESULT role=consumer check={(isGood ? "ok" : "failed")} exit={exitCode}");
        return output.End(exitCode);
    }

    private static bool Check(ResolvedTarget target, ConsumerPlan plan, StandardOutput output)
    {
        try
        {
            var found = ServerPreflight.Look(target, plan);
            ReachedServer.Tell(found.Endpoint, found.Connection, found.Facts, output);
            return RightsSuffice(found, output) && ProbesCanBeAnswered(found, plan, output);
        }
        catch (RedisException failure)
        {
            output.WriteLine($"FAIL  {failure.Message}");
            return false;
        }
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

    private static bool RightsSuffice(ServerPreflight found, StandardOutput output)
    {
        foreach (var unknown in found.Rights.Unknown)
            output.WriteLine($"note  not known: {unknown}");
        foreach (var missing in found.Rights.Missing)
            output.WriteLine($"FAIL  user {found.Rights.User} lacks {missing}");
        output.WriteLine(found.Rights.IsSufficient
            ? $"ok    user {found.Rights.User} may publish and subscribe"
            : $"      to allow it: {found.Rights.AclLine}");
        return found.Rights.IsSufficient;
    }
}
