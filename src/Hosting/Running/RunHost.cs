using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.LivePages;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Output;
using Settled = Microsoft.Extensions.Options.Options;

namespace RedisLatency.Hosting.Running;

/// <summary>Carries out one run inside a Generic Host: logging, services, signals.</summary>
/// <remarks>
/// Configuration is settled before, by the command line: the host is built empty and reads no files, so that no file
/// watcher runs beside a measurement.
/// </remarks>
public static class RunHost
{
    /// <summary>Lives the run, and serves its page meanwhile where that was asked for.</summary>
    /// <inheritdoc cref="Run(Verbosity, Func{RunContext, int})"/>
    public static int Run(OutputOptions output, Func<RunContext, int> run, Verbosity? verbosity = null) =>
        Run(verbosity ?? output.Verbosity, context =>
        {
            using var page = LivePage.Start(output, context);
            context.Page = page;
            return run(context);
        });

    /// <summary>Lives the run and returns when it has been reported.</summary>
    /// <param name="verbosity">How much is said on standard error.</param>
    /// <param name="run">
    /// What the service does: enters the phases after Resolve, and returns what its results come to, an
    /// <see cref="ExitCode"/>. Called once, on a thread of its own.
    /// </param>
    /// <returns>What the process ends with: an <see cref="ExitCode"/>.</returns>
    public static int Run(Verbosity verbosity, Func<RunContext, int> run)
    {
        using var stop = new StopSignal();
        using var output = new StandardOutput();
        var diagnostics = new Diagnostics();
        var builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        var services = builder.Services;
        services.AddSingleton<IHostLifetime>(provider => new TerminationSignals(
            stop, TimeProvider.System, provider.GetRequiredService<ILogger<TerminationSignals>>(), ProcessEnd.AtOnce));
        services.AddSingleton(provider => new RunSupervisor(
            new RunContext(
                stop, TimeProvider.System, provider.GetRequiredService<ILogger<RunContext>>(), output, diagnostics),
            stop,
            provider.GetRequiredService<IHostApplicationLifetime>(),
            run));
        services.AddHostedService(provider => provider.GetRequiredService<RunSupervisor>());
        // Made here: a native program takes milliseconds to put the generic types together by which a host would.
        services.AddSingleton(Settled.Create(new HostOptions { ShutdownTimeout = Timeout.InfiniteTimeSpan }));
        services.AddSingleton<ILoggerFactory>(_ => new LoggerFactory(
            [new DiagnosticsLogger(diagnostics)],
            new LoggerFilterOptions { MinLevel = LowestLevel(verbosity) }.AddFilter("Microsoft", LogLevel.Warning)));
        using var host = builder.Build();
        var supervisor = host.Services.GetRequiredService<RunSupervisor>();
        using var failures = ThreadFailures.GoTo(supervisor.FailFromThread);
        host.Run();
        return output.End(supervisor.Ended.GetAwaiter().GetResult());
    }

    private static LogLevel LowestLevel(Verbosity verbosity) => verbosity switch
    {
        Verbosity.Quiet => LogLevel.Error,
        Verbosity.Verbose => LogLevel.Debug,
        _ => LogLevel.Information,
    };
}
