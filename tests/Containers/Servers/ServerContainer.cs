using System.Globalization;
using System.Net;
using Docker.DotNet.Models;
using DotNet.Testcontainers.Builders;
using DotNet.Testcontainers.Configurations;
using DotNet.Testcontainers.Images;
using Microsoft.Extensions.Logging.Abstractions;
using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using Testcontainers.Redis;

namespace RedisLatency.Containers.Servers;

/// <summary>A server in a container, on a port of this machine; removed with the test.</summary>
internal sealed class ServerContainer : IAsyncDisposable
{
    private static readonly TimeSpan StartLimit = TimeSpan.FromMinutes(1);

    private readonly RedisContainer _container;

    private ServerContainer(RedisContainer container) => _container = container;

    /// <summary>The endpoint as users type it. After a stop and a start the port may be another.</summary>
    public string Uri => string.Create(
        CultureInfo.InvariantCulture,
        $"redis://{_container.Hostname}:{_container.GetMappedPublicPort(RedisBuilder.RedisPort)}");

    /// <summary>Where other containers find it. Names take a resolver, which not every engine has.</summary>
    public string Address => _container.IpAddress;

    /// <summary>Starts one and waits until it answers.</summary>
    /// <param name="image">Pulled if it is not there and not <see cref="ServerImages.IsLocal">local</see>.</param>
    /// <param name="arguments">The server's own: <c>--replicaof</c>, <c>source</c>, <c>6379</c>.</param>
    /// <param name="port">The port of this machine; without one a free one, and perhaps another after each start.</param>
    /// <exception cref="ServerUnavailableException">It cannot be had; nothing of it is left.</exception>
    public static async Task<ServerContainer> Start(
        string image, string[]? arguments = null, int? port = null)
    {
        var isLocal = ServerImages.IsLocal(image);
        var builder = new RedisBuilder(image)
            .WithImagePullPolicy(isLocal ? PullPolicy.Never : PullPolicy.Missing)
            .WithLogger(NullLogger.Instance)
            .WithCommand(arguments ?? [])
            .WithCreateParameterModifier(Hide)
            .WithWaitStrategy(Wait.ForUnixContainer().UntilCommandIsCompleted(
                ["redis-cli", "ping"],
                wait => wait.WithTimeout(StartLimit).WithInterval(TimeSpan.FromMilliseconds(50))));
        if (port is { } chosen)
            builder = builder.WithPortBinding(chosen, RedisBuilder.RedisPort);
        var container = builder.Build();
        var isCreated = false;
        container.Created += (_, _) => isCreated = true;
        try
        {
            using var limit = new CancellationTokenSource(ServiceProcess.LimitAgainstHangs);
            await container.StartAsync(limit.Token);
            return new ServerContainer(container);
        }
        catch (Exception problem)
        {
            var lastWords = isCreated ? await LastWords(container) : null;
            await container.DisposeAsync();
            throw new ServerUnavailableException(
                isCreated
                    ? $"The server in the image {image} does not start: {lastWords ?? FirstLine(problem)}"
                    : $"The image {image} cannot be had ({FirstLine(problem)}): {(isLocal ? "make" : "pull")} it, or "
                        + $"name others by {ServerImages.Variable}.",
                problem);
        }
    }

    /// <summary>Stops the server and its container, which stays.</summary>
    public Task Stop() => _container.StopAsync();

    /// <summary>Starts it again after <see cref="Stop"/>.</summary>
    public Task StartAgain() => _container.StartAsync();

    /// <summary>Asks the server something.</summary>
    public string Ask(params string[] words)
    {
        using var connection = Open();
        return connection.Execute(words).Text;
    }

    /// <summary>Connects to it.</summary>
    public RedisConnection Open() => RedisConnection.Open(RedisEndpoint.Parse(Uri), Patience.Connection);

    public ValueTask DisposeAsync() => _container.DisposeAsync();

    // A server without a password is for this machine alone, where it is reached by the loopback: not where the engine
    // is on another, or these tests in a container themselves.
    private static void Hide(CreateContainerParameters container)
    {
        var engine = TestcontainersSettings.OS.DockerEndpointAuthConfig!.Endpoint;
        var host = TestcontainersSettings.DockerHostOverride
            ?? (engine.Scheme is "unix" or "npipe" && !File.Exists("/.dockerenv") ? "localhost" : engine.Host);
        if (host is not ("localhost" or "127.0.0.1"))
            return;
        foreach (var binding in container.HostConfig!.PortBindings.Values.SelectMany(port => port))
            binding.HostIP = IPAddress.Loopback.ToString();
    }

    private static string FirstLine(Exception problem) => problem.Message.Split('\n')[0].Trim().TrimEnd('.');

    private static async Task<string?> LastWords(RedisContainer container)
    {
        var (output, errors) = await container.GetLogsAsync(timestampsEnabled: false);
        return (output + errors).Split('\n').Select(line => line.Trim()).LastOrDefault(line => line.Length > 0);
    }
}
