using RedisLatency.Hosting.Running;

namespace RedisLatency.Hosting.Targets;

/// <summary>Asks a person for a password, without showing what is typed.</summary>
public static class PasswordPrompt
{
    /// <summary>Asks on the terminal.</summary>
    /// <exception cref="ConfigurationException">There is no terminal to ask on.</exception>
    public static string Ask(string address)
    {
        if (Console.IsInputRedirected)
            throw new ConfigurationException("--askpass: there is no terminal to ask on; use --password-file");
        Console.Error.Write($"Password for {address}: ");
        var password = new List<char>();
        while (Console.ReadKey(intercept: true) is { Key: not ConsoleKey.Enter } key)
        {
            if (key.Key == ConsoleKey.Backspace && password.Count > 0)
                password.RemoveAt(password.Count - 1);
            else if (key.KeyChar >= ' ')
                password.Add(key.KeyChar);
        }

        Console.Error.WriteLine();
        return new string([.. password]);
    }
}
