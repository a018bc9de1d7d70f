using System.Globalization;
using RedisLatency.Fixtures;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Options;
using RedisLatency.Workloads.Phases;

namespace RedisLatency.Workloads.Tests.Engine;

/// <summary>A real server, and phases on it as the command line makes them.</summary>
public abstract class PhaseTest : IAsyncLifetime
{
    internal RedisServerProcess Server { get; private set; } = null!;

    public async ValueTask InitializeAsync()
    {
        Server = await RedisServerProcess.Start();
    }

    public async ValueTask DisposeAsync()
    {
        if (Server is not null)
            await Server.DisposeAsync();
        GC.SuppressFinalize(this);
    }

    internal PhasePlan Plan(PhaseOptions options, bool isLoad = false)
    {
        options.WarmUp = TimeSpan.Zero;
        var plan = new PhasePlan(isLoad ? "load" : "run", isLoad, options);
        plan.Problem().ShouldBeNull();
        return plan.At(
            [new ResolvedTarget(RedisEndpoint.Parse(Server.Uri), Patience.Connection, DriverKind.Raw)],
            new RunningOptions());
    }

    /// <summary>Runs a phase to its end; every operation has completed.</summary>
    internal EngineTotals Run(PhaseOptions options, bool isLoad = false)
    {
        var totals = EngineTest.Run(Plan(options, isLoad));
        totals.Completed.ShouldBe(totals.Sent);
        totals.Lost.ShouldBeNull();
        return totals;
    }

    internal string Ask(params string[] words)
    {
        using var connection = RedisConnection.Open(RedisEndpoint.Parse(Server.Uri), Patience.Connection);
        return connection.Execute(words).Text;
    }

    /// <summary>How often the server has executed a command.</summary>
    internal long CallsOf(string command) => NumberIn("commandstats", $"cmdstat_{command}:calls=");

    internal long NumberIn(string section, string before)
    {
        var line = Ask("INFO", section).Split('\n')
            .FirstOrDefault(known => known.StartsWith(before, StringComparison.Ordinal));
        return line is null ? 0
            : long.Parse(line[before.Length..].Split(',')[0].Trim(), CultureInfo.InvariantCulture);
    }
}
