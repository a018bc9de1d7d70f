using System.Collections.Concurrent;
using System.Diagnostics;
using System.Text.Json;

namespace RedisLatency.Fixtures;

/// <summary>
/// A process that runs a service for one test and then for another (<c>tests/ServiceHost</c>): most of what a service
/// costs that lives a second is its start and the compiler.
/// </summary>
internal sealed class ServiceHost
{
    /// <summary>What the line begins with that ends the outputs of a run.</summary>
    public const char EndOfRun = '\u001e';

    // By what they have in their environment besides.
    private static readonly ConcurrentDictionary<string, ConcurrentBag<ServiceHost>> Idle = new();

    private readonly string _environment;

    private ServiceHost(string environment, Process process)
    {
        _environment = environment;
        Process = process;
    }

    public Process Process { get; }

    /// <summary>Lets a process that is idle, or else a new one, run a service.</summary>
    public static ServiceHost Run(
        string service, string folder, IReadOnlyDictionary<string, string> environment, IEnumerable<string> arguments)
    {
        var host = Take(environment);
        host.Process.StandardInput.Write($"{service}\n{folder}\n{JsonSerializer.Serialize(arguments)}\n");
        host.Process.StandardInput.Flush();
        return host;
    }

    /// <summary>Gives it back once its run is over; nothing may be on its way to it.</summary>
    public void Return() => Idle.GetOrAdd(_environment, _ => []).Add(this);

    private static ServiceHost Take(IReadOnlyDictionary<string, string> environment)
    {
        var key = string.Join('\n', environment.OrderBy(one => one.Key, StringComparer.Ordinal));
        var idle = Idle.GetOrAdd(key, _ => []);
        while (idle.TryTake(out var host))
        {
            if (!host.Process.HasExited)
                return host;
            host.Process.Dispose();
        }

        var start = InheritedSignals.Start("dotnet", ServiceProcess.ProgramOf("ServiceHost"));
        ServiceProcess.Redirect(start, environment);
        return new ServiceHost(key, Process.Start(start)!);
    }
}
