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

    private static readonly ConcurrentDictionary<string, ConcurrentBag<ServiceHost>> Idle = new();

    private readonly string _service;

    private ServiceHost(string service, Process process)
    {
        _service = service;
        Process = process;
    }

    public Process Process { get; }

    /// <summary>Lets a process that is idle, or else a new one, run a service.</summary>
    public static ServiceHost Run(string service, string folder, IEnumerable<string> arguments)
    {
        var host = Take(service);
        host.Process.StandardInput.Write($"{service}\n{folder}\n{JsonSerializer.Serialize(arguments)}\n");
        host.Process.StandardInput.Flush();
        return host;
    }

    /// <summary>Gives it back once its run is over; nothing may be on its way to it.</summary>
    public void Return() => Idle.GetOrAdd(_service, _ => []).Add(this);

    private static ServiceHost Take(string service)
    {
        var idle = Idle.GetOrAdd(service, _ => []);
        while (idle.TryTake(out var host))
        {
            if (!host.Process.HasExited)
                return host;
            host.Process.Dispose();
        }

        var start = InheritedSignals.Start("dotnet", ServiceProcess.ProgramOf("ServiceHost"));
        ServiceProcess.Redirect(start);
        return new ServiceHost(service, Process.Start(start)!);
    }
}
