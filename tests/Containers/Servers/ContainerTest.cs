using System.Text.Json.Nodes;
using RedisLatency.Fixtures;

namespace RedisLatency.Containers.Servers;

/// <summary>
/// Servers in containers, and the services beside them. Where there is no engine, or not the image, tests skip, and
/// fail where everything must be there.
/// </summary>
public abstract class ContainerTest : IAsyncLifetime
{
    private readonly List<IAsyncDisposable> _started = [];

    public ValueTask InitializeAsync()
    {
        if (ContainerEngine.Problem is { } problem)
            Leave(problem);
        return ValueTask.CompletedTask;
    }

    public async ValueTask DisposeAsync()
    {
        for (var i = _started.Count - 1; i >= 0; i--)
            await _started[i].DisposeAsync();
        GC.SuppressFinalize(this);
    }

    /// <summary>Starts a server of an image, or leaves the test.</summary>
    private protected async Task<ServerContainer> StartServer(
        string image, string[]? arguments = null, int? port = null)
    {
        try
        {
            return Own(await ServerContainer.Start(image, arguments, port));
        }
        catch (ServerUnavailableException problem)
        {
            Leave(problem.Message);
            throw;
        }
    }

    /// <summary>Starts a service that prints its record at its end.</summary>
    protected ServiceProcess StartService(string project, params string[] arguments) =>
        Own(ServiceProcess.Start(project, [.. arguments, "--format", "json"]));

    /// <summary>Waits for the end of a service, and reads its record.</summary>
    /// <param name="service">Which.</param>
    /// <param name="exitCodes">One of these; a machine that is too busy makes a run not valid (4).</param>
    protected static async Task<JsonNode> RecordOf(ServiceProcess service, params int[] exitCodes)
    {
        exitCodes.ShouldContain(await service.End(), service.ToString());
        return JsonNode.Parse(service.Output.ToString())!;
    }

    /// <summary>A count of a summary.</summary>
    protected static long CountOf(JsonNode record, string name) => record["metrics"]![name]!.GetValue<long>();

    protected T Own<T>(T started)
        where T : IAsyncDisposable
    {
        _started.Add(started);
        return started;
    }

    /// <summary>Skips the test with a reason, or fails it where everything must be there.</summary>
    protected static void Leave(string problem)
    {
        Assert.SkipUnless(ServerRequirement.IsStrict, problem);
        Assert.Fail(problem);
    }
}
