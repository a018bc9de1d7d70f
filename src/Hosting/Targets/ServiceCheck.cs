using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Lanes;

namespace RedisLatency.Hosting.Targets;

/// <summary>The verb <c>check</c> of every service: everything that a run needs, a line each.</summary>
public static class ServiceCheck
{
    /// <summary>Lets a service check, and ends with RESULT.</summary>
    /// <param name="role">Which service, as RESULT names it.</param>
    /// <param name="check">Writes the lines; returns whether a run could be.</param>
    /// <returns>The exit code.</returns>
    public static int Run(string role, Func<StandardOutput, bool> check)
    {
        using var output = new StandardOutput();
        var isGood = check(output);
        var exitCode = isGood ? ExitCode.Valid : ExitCode.Refused;
        output.WriteLine($"RESULT role={role} check={(isGood ? "ok" : "failed")} exit={exitCode}");
        return output.End(exitCode);
    }

    /// <summary>Asks a server; one that does not answer as it should has failed the check.</summary>
    public static bool Ask(StandardOutput output, Func<bool> check)
    {
        try
        {
            return check();
        }
        catch (RedisException failure)
        {
            output.WriteLine($"FAIL  {failure.Message}");
            return false;
        }
    }

    /// <summary>Says that a server is reached by a connection, and asks it what it is.</summary>
    /// <exception cref="RedisException">The connection is gone.</exception>
    public static ServerFacts WriteReached(ResolvedTarget target, RedisConnection control, StandardOutput output)
    {
        var facts = ServerFacts.Read(control);
        var connection = $"RESP{control.Protocol} over {control.TransportDescription}";
        WriteReached(target.Endpoint.ToString(), connection, facts, output);
        return facts;
    }

    /// <summary>Says it of what is known already.</summary>
    public static void WriteReached(string endpoint, string connection, ServerFacts facts, StandardOutput output)
    {
        output.WriteLine($"ok    {endpoint} is reached: {connection}");
        output.WriteLine(facts.UnavailableBecause is { } why
            ? $"note  the server says nothing about itself: {why}"
            : $"ok    {facts.Name} {facts.Version} {facts.Mode}, {facts.Role}");
    }

    /// <summary>Says whether the user may publish and subscribe where a run would.</summary>
    public static bool ReportRights(RightsFinding rights, StandardOutput output)
    {
        foreach (var unknown in rights.Unknown)
            output.WriteLine($"note  not known: {unknown}");
        foreach (var missing in rights.Missing)
            output.WriteLine($"FAIL  user {rights.User} lacks {missing}");
        output.WriteLine(rights.IsSufficient
            ? $"ok    user {rights.User} may publish and subscribe"
            : $"      to allow it: {rights.AclLine}");
        return rights.IsSufficient;
    }
}
