using System.Diagnostics;

namespace RedisLatency.Lab.Worlds;

/// <summary>Monotonic clocks ahead of the host's: time namespaces (Linux 5.6), unshare (util-linux 2.36).</summary>
internal sealed class TimeNamespace
{
    private readonly string[] _rights;

    private TimeNamespace(string[] rights, string? problem) => (_rights, Problem) = (rights, problem);

    /// <summary>Why there is none here; null where there is.</summary>
    public string? Problem { get; }

    /// <summary>Tries what this machine allows: as it is, or within a user namespace of our own.</summary>
    public static TimeNamespace Find()
    {
        if (!OperatingSystem.IsLinux())
            return new([], "time namespaces are a feature of Linux");
        string[][] ways = [[], ["--user", "--map-root-user"]];
        var problems = new List<string>();
        foreach (var rights in ways)
        {
            if (Try(rights) is not { } problem)
                return new(rights, null);
            problems.Add(problem);
        }

        return new([], problems[0]);
    }

    /// <summary>The command that runs another with its clocks ahead by so many whole seconds, above zero.</summary>
    public IEnumerable<string> Wrap(long seconds, IEnumerable<string> command) => Command(_rights, seconds, command);

    private static IEnumerable<string> Command(string[] rights, long seconds, IEnumerable<string> command)
    {
        var ahead = seconds.ToString(System.Globalization.CultureInfo.InvariantCulture);
        return
        [
            "unshare", .. rights, "--time", "--monotonic", ahead, "--boottime", ahead, "--fork", "--kill-child", "--",
            .. command,
        ];
    }

    private static string? Try(string[] rights)
    {
        var words = Command(rights, 1, ["true"]).ToArray();
        var start = new ProcessStartInfo(words[0]) { RedirectStandardError = true };
        foreach (var word in words.Skip(1))
            start.ArgumentList.Add(word);
        try
        {
            using var process = Process.Start(start)!;
            var said = process.StandardError.ReadToEnd();
            process.WaitForExit();
            return process.ExitCode == 0 ? null : $"unshare --time: {said.ReplaceLineEndings(" ").Trim()}";
        }
        catch (System.ComponentModel.Win32Exception failure)
        {
            return $"unshare: {failure.Message}";
        }
    }
}
