using RedisLatency.Fixtures;

namespace RedisLatency.Integration.Deploy;

/// <summary>The program <c>redis-latency</c> as the build of the tests made it.</summary>
internal static class BuiltTool
{
    public static ServiceProcess Start(params string[] arguments) => ServiceProcess.Start("Tool", arguments);

    /// <summary>
    /// Has the program read a command line, without its name, and settings, as it reads those of a run.
    /// </summary>
    /// <returns>What is wrong with them, or null.</returns>
    public static async Task<string?> ProblemWith(IReadOnlyDictionary<string, string> settings, params string[] line)
    {
        await using var shown = ServiceProcess.Start("Tool", settings, ["config", "show", .. line]);
        return await shown.End() == 0 ? null : shown.Errors.ToString();
    }

    /// <summary>Holds the options of a command line, without the program's name, against the command's help.</summary>
    public static async Task ShouldHaveTheOptionsOf(params string[] line)
    {
        await using var help = Start(line[0], "--help");
        (await help.End()).ShouldBe(0);
        var options = line.Where(word => word.StartsWith("--", StringComparison.Ordinal)).ToArray();

        options.ShouldNotBeEmpty();
        foreach (var option in options)
            help.Output.ToString().ShouldContain($"{option.Split('=')[0]} ", Case.Sensitive);
    }
}
