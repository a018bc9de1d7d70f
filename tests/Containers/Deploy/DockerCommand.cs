using RedisLatency.Fixtures;

namespace RedisLatency.Containers.Deploy;

/// <summary>The programs that users type, <c>docker</c> and its compose, against the engine of the tests.</summary>
internal static class DockerCommand
{
    /// <summary>Runs <c>docker</c> to its end.</summary>
    /// <returns>What it printed.</returns>
    public static async Task<string> Run(params string[] arguments)
    {
        await using var docker = ServiceProcess.StartScript("docker", arguments);
        // A machine too busy for the schedule makes a run invalid (4), which is not the question here.
        (await docker.End()).ShouldBeOneOf([0, 4], docker.ToString());
        return docker.Output.ToString();
    }

    /// <summary>Runs a line of shell with <c>docker</c> in it to its end.</summary>
    /// <returns>What it printed.</returns>
    public static async Task<string> Script(string line)
    {
        await using var shell = ServiceProcess.StartShell(line);
        (await shell.End()).ShouldBe(0, shell.ToString());
        return shell.Output.ToString();
    }

    /// <summary>Starts compose, which is a part of <c>docker</c> or a program of its own.</summary>
    public static ServiceProcess Compose(IReadOnlyDictionary<string, string> environment, params string[] arguments)
    {
        string[] words = ["env", .. environment.Select(one => $"{one.Key}={one.Value}"), .. Program(), .. arguments];
        return ServiceProcess.StartScript(words[0], words[1..]);
    }

    private static string[] Program() =>
        ServerRequirement.Find("docker-compose") is { } alone ? [alone] : ["docker", "compose"];
}
