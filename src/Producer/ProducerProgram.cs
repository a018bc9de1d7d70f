using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;

namespace RedisLatency.Producer;

/// <summary>The Producer's command line: measure, check, show.</summary>
public static class ProducerProgram
{
    /// <summary>Runs the program.</summary>
    /// <returns>The exit code; see <see cref="ExitCode"/>.</returns>
    public static Task<int> RunAsync(IReadOnlyList<string> arguments) =>
        new CommandLineProgram(Create("Producer")).RunAsync(arguments);

    /// <summary>The service under a name of its own: as a program, or as a word of one.</summary>
    public static ServiceCommand Create(string name)
    {
        var catalogue = ProducerCatalogue.Create();
        return new ServiceCommand<ProducerOptions>(
            name,
            "Measures publish/subscribe round trips, and each direction by itself.",
            catalogue,
            (run, _) => Task.FromResult(Measure(run)))
        {
            IsProgram = true,
            Common =
            [
                "--redis", "--rate", "--iterations", "--duration", "--payload-size", "--driver", "--warmup",
                "--threshold", "--probe", "--out",
            ],
            Examples =
            [
                new("Measure the tool's own floor; no server needed", string.Empty),
                new("Measure a server, with the Consumer that runs there, or one in this process", "10.0.0.5:6379"),
                new("Send plain counts one by one, with a threshold on the result",
                    "host:6379 --payload counter --threshold 'rtt.p99<2ms'"),
                new("Measure one way to a Consumer 5,500 km away; compare clocks over UDP",
                    "host:6379 --probe udp://10.2.0.7:7777 --floor-distance 5500km"),
            ],
            Verbs =
            [
                ProducerCheck.Create(catalogue),
                ShowCommand.Create(),
            ],
        };
    }

    private static int Measure(CommandRun<ProducerOptions> command) =>
        RunHost.Run(command.Options.Values.Output, run => new ProducerRun(command, run).Run());
}
