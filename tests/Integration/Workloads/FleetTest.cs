using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;

namespace RedisLatency.Integration.Workloads;

/// <summary>Several processes that load one server together, and meet at another.</summary>
public abstract class FleetTest : WorkloadTest, IAsyncLifetime
{
    /// <summary>The run's name.</summary>
    protected const string RunName = "night";

    /// <summary>Where they meet.</summary>
    protected RedisServerProcess Control { get; private set; } = null!;

    async ValueTask IAsyncLifetime.InitializeAsync()
    {
        await InitializeAsync();
        Control = await RedisServerProcess.Start();
    }

    async ValueTask IAsyncDisposable.DisposeAsync()
    {
        await DisposeAsync();
        await Control.DisposeAsync();
        GC.SuppressFinalize(this);
    }

    /// <summary>Starts a member.</summary>
    protected ServiceProcess StartMember(int index, int count, string verb, params string[] arguments) => Start(
        verb, [.. MemberOptions(index, count), .. arguments]);

    /// <summary>Starts a member that measures another server than the test's.</summary>
    protected ServiceProcess StartMemberAt(string server, int index, int count, string verb, params string[] arguments)
    {
        var process = ServiceProcess.Start("Workloads", [verb, .. MemberOptions(index, count), .. arguments,
            "--redis", server]);
        Keep(process);
        return process;
    }

    /// <summary>Asks the control Redis something.</summary>
    protected string AskControl(params string[] words)
    {
        using var connection = RedisConnection.Open(RedisEndpoint.Parse(Control.Uri), Patience.Connection);
        return connection.Execute(words).Text;
    }

    /// <summary>All keys that the members have made there.</summary>
    protected IReadOnlyList<string> KeysOfControl()
    {
        using var connection = RedisConnection.Open(RedisEndpoint.Parse(Control.Uri), Patience.Connection);
        return [.. connection.Execute("KEYS", "*").Items.Select(key => key.Text)];
    }

    /// <summary>Ends them all, each with this code.</summary>
    protected static async Task End(int exitCode, params IEnumerable<ServiceProcess> members)
    {
        foreach (var member in members)
            (await member.End()).ShouldBe(exitCode, member.ToString());
    }

    /// <summary>What makes a process a member.</summary>
    protected string[] MemberOptions(int index, int count, string? instance = null) =>
    [
        "--run", RunName, "--expect", $"load={Text(count)}", "--member", Text(index), "--control", Control.Uri,
        "--instance", instance ?? $"host-{Text(index)}",
    ];
}
